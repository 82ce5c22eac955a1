// Peers in node: new URL, which parses as browsers do, and url.parse. Arguments: "URL" or
// "url.parse", and the task; with "destination", what http.request would connect to; with an
// operation, such as "resolution", its result for the texts of a case, with spaces between them.
"use strict";

const parsers = { "URL": (text) => new URL(text), "url.parse": (text) => require("url").parse(text) };
const clients = { "http:": require("http"), "https:": require("https") };
const [name, task] = process.argv.slice(2);

// The agent keeps the request instead of opening a connection: nothing is ever sent.
function requested(client, url) {
  let seen = null;
  const agent = new client.Agent();
  agent.addRequest = (request, options) => {
    seen = { host: options.host, port: options.port, target: request.path };
  };
  const request = name === "URL" ? client.request(url, { agent }) : client.request({ ...url, agent });
  request.on("error", () => {});
  return seen;
}

function destination(url) {
  const scheme = url.protocol && url.protocol.slice(0, -1);
  const client = clients[url.protocol];
  if (client) {
    const { host, port, target } = requested(client, url);
    return { scheme, host, port: String(port), target };
  }
  const target = (url.pathname || "") + (url.search || "");
  return { scheme, host: url.hostname, port: url.port, target };
}

function components(url) {
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

const operations = {
  resolution: (base, reference) => ({ text: new URL(reference, base).href }),
  normalization: (text) => ({ text: new URL(text).href }),
};

function write(value) {
  process.stdout.write(JSON.stringify(value) + "\n");
}

write({ version: process.versions.node });
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    // A request is a JSON string, or an array of octets where those are not UTF-8.
    const request = JSON.parse(line);
    const text = typeof request === "string" ? request : Buffer.from(request).toString();
    if (task in operations) {
      answer = operations[task](...text.split(" "));
    } else {
      const url = parsers[name](text);
      answer = task === "destination" ? destination(url) : components(url);
    }
  } catch (error) {
    answer = { refuses: String(error.code || error.name) };
  }
  write(answer);
});
