// Runs uri-test-suite: node run.mjs FILE.json ...
// Change `judge` to ask your parser. This one asks URL, which reads by another standard.
import { readFileSync } from "node:fs";

const judge = (text) => new URL(text);

for (const name of process.argv.slice(2)) {
  const suite = JSON.parse(readFileSync(name, "utf8"));
  let wrong = 0;
  for (const { id, text, valid, tells } of suite.cases) {
    let accepts = true;
    try {
      judge(text);
    } catch {
      accepts = false;
    }
    if (accepts !== valid) {
      wrong += 1;
      console.log([id, JSON.stringify(text), tells].join("\t"));
    }
  }
  console.log(`${name}: ${wrong} of ${suite.cases.length} differ`);
}
