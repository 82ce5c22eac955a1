// Fetches each line of standard input by one client for Node, and answers a line when it is done.
import readline from "node:readline";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";

process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
process.removeAllListeners("warning");
const require = createRequire(process.env.WIRE_NODE ? process.env.WIRE_NODE + "/" : import.meta.url);
const name = process.argv[2];

const clients = {
  "fetch": () => (url) => fetch(url).then((answer) => answer.text()),
  "http.get": () => (url) => new Promise((resolve, reject) => {
    const get = url.startsWith("https") ? https.get : http.get;
    get(url, { agent: false }, (answer) => { answer.resume(); answer.on("end", resolve); }).on("error", reject);
  }),
  "axios": () => { const axios = require("axios"); return (url) => axios.get(url); },
  "got": async () => {
    const { default: got } = await import(require.resolve("got"));
    return (url) => got(url, { retry: { limit: 0 } });
  },
  "undici": () => {
    const undici = require("undici");
    if (process.env.http_proxy) undici.setGlobalDispatcher(new undici.EnvHttpProxyAgent());
    return (url) => undici.request(url).then((answer) => answer.body.text());
  },
  "needle": () => { const needle = require("needle"); return (url) => needle("get", url, { open_timeout: 5000 }); },
  "superagent": () => { const agent = require("superagent"); return (url) => agent.get(url).disableTLSCerts(); },
  "node-fetch": async () => {
    const { default: get } = await import(require.resolve("node-fetch"));
    return (url) => get(url).then((answer) => answer.text());
  },
};
const packaged = ["axios", "got", "undici", "needle", "superagent", "node-fetch"];
const get = await clients[name]();
let version = process.versions.node;
if (packaged.includes(name)) {
  const { readFileSync } = await import("node:fs");
  version = JSON.parse(readFileSync(`${process.env.WIRE_NODE}/node_modules/${name}/package.json`)).version;
}
console.log(version);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 5000).unref());
  try {
    await Promise.race([get(line), late]);
    console.log("done");
  } catch (error) {
    console.log(error.name);
  }
}
