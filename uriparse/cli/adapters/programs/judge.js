// The adapter of node: new URL, which reads as browsers do.
"use strict";

function judge(text) {
  const url = new URL(text);
  return {
    text: url.href,
    scheme: url.protocol.slice(0, -1),
    host: url.hostname,
    port: url.port,
    path: url.pathname,
    query: url.search.slice(1),
    fragment: url.hash.slice(1),
  };
}

function say(value) {
  process.stdout.write(JSON.stringify(value) + "\n");
}

say({ version: process.versions.node });
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let answer = false;
  try {
    answer = judge(JSON.parse(line));
  } catch (error) {
    // It will not have the text.
  }
  say(answer);
});
