// Reads one JSON string a line; writes for each what three parsers of SIP URIs make of it.
const peers = {
  jssip: (text) => require("jssip").URI.parse(text),
  sip: (text) => require("sip").parseUri(text),
  "sip.js": (text) => require("sip.js/lib/grammar/grammar.js").Grammar.URIParse(text),
};
for (const name in peers) peers[name]("sip:h"); // a module that is missing ends the program
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of lines) {
  const found = {};
  for (const name in peers) {
    try {
      found[name] = Boolean(peers[name](JSON.parse(line)));
    } catch {
      found[name] = false;
    }
  }
  process.stdout.write(JSON.stringify(found) + "\n");
}
