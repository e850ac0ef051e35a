// Runs the page's verifier outside a browser: a policy and bundles in, one per line in base64; verdicts out, as JSON.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { verify } = await import(pathToFileURL(`${process.argv[2]}/bundle.js`));
const { Policy } = await import(pathToFileURL(`${process.argv[2]}/notes.js`));
let policy = null;
for await (const line of createInterface({ input: process.stdin })) {
  const data = new Uint8Array(Buffer.from(line, "base64"));
  if (policy === null) policy = await Policy.read(new TextDecoder().decode(data));
  else {
    const { failed, event } = await verify(data, policy);
    console.log(JSON.stringify([failed, event]));
  }
}
