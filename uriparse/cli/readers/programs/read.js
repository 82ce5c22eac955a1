// Readers of node: what http.request would connect to, given a URL or the result of url.parse.
"use strict";

const parsers = { "URL": (text) => new URL(text), "url.parse": (text) => require("url").parse(text) };
const clients = { "http:": require("http"), "https:": require("https") };

// An agent that is asked for a connection keeps the request where it is: nothing is ever sent.
function asked(client, url, parsed) {
  let seen = null;
  const agent = new client.Agent();
  agent.addRequest = (request, options) => {
    seen = { host: options.host, port: options.port, target: request.path };
  };
  const request = parsed ? client.request({ ...url, agent }) : client.request(url, { agent });
  request.on("error", () => {});
  return seen;
}

function read(name, text) {
  const url = parsers[name](text);
  const scheme = url.protocol && url.protocol.slice(0, -1);
  const client = clients[url.protocol];
  if (client) {
    const { host, port, target } = asked(client, url, name !== "URL");
    return { scheme, host, port: String(port), target };
  }
  const target = (url.pathname || "") + (url.search || "");
  return { scheme, host: url.hostname, port: url.port, target };
}

function say(value) {
  process.stdout.write(JSON.stringify(value) + "\n");
}

const name = process.argv[2];
say({ version: process.versions.node });
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    answer = read(name, Buffer.from(line, "hex").toString());
  } catch (error) {
    answer = { refuses: String(error.code || error.name) };
  }
  say(answer);
});
