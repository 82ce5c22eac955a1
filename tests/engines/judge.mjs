// Answers each line with a verdict: "=" and flags and an expression is held to; else it is a text.
import { readFileSync } from "node:fs";

const decoded = (line) => Buffer.from(line, "base64").toString("utf16le");
const answers = [];
let expression = null;
for (const line of readFileSync(0, "ascii").split("\n").slice(0, -1)) {
  if (line.startsWith("=")) {
    const [flags, text] = line.slice(1).split(" ");
    expression = new RegExp(decoded(text), flags);
    continue;
  }
  try {
    answers.push(expression.test(decoded(line)) ? "1" : "0");
  } catch (error) {
    answers.push(error instanceof RangeError ? "stack" : String(error));
  }
}
process.stdout.write(answers.join("\n") + "\n");
