// node snapshot.mjs WASM_EXEC MODULE SNAPSHOT takes the snapshot of testdata/program, which exports its globals, into a folder, begins it once
// and prints its output.
// node snapshot.mjs WASM_EXEC MODULE SNAPSHOT packed begins a module with that snapshot twice, and compares its first memory with the
// snapshot's.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, record, restore } from "../../shim/snapshot.mjs";

const [, , exec, wasm, folder, packed] = process.argv;
await import(pathToFileURL(exec).href);
const go = new globalThis.Go();
const said = [];
const plaza = { say: (text) => { said.push(text); } };
globalThis.context = { env: {}, binding: {}, plaza };
const callbacks = record(go);
const module = new WebAssembly.Module(readFileSync(wasm));
const program = new WebAssembly.Instance(module, go.importObject);
const memory = Buffer.from(program.exports.mem.buffer.slice(0));
if (packed) {
  if (!memory.equals(readFileSync(join(folder, "memory")))) throw new Error("the memory is not that of the snapshot");
  const snapshot = JSON.parse(readFileSync(join(folder, "snapshot.json")));
  assert.throws(() => restore(go, module, program, { ...snapshot, memory: "0".repeat(64) }), /are not of the same build/);
  restore(go, module, program, snapshot);
} else {
  go.run(program);
  const begun = Buffer.from(program.exports.mem.buffer.slice(0));
  writeFileSync(join(folder, "memory"), begun);
  writeFileSync(join(folder, "globals"), Object.keys(program.exports).filter((name) => name.startsWith("global")).map((name) => program.exports[name].value).join("\n"));
  writeFileSync(join(folder, "snapshot.json"), JSON.stringify({ memory: createHash("sha256").update(begun).digest("hex"), ...describe(go, callbacks) }));
}
said.push("--");
plaza.begin("one");
plaza.begin("two");
process.stdout.write(said.slice(said.indexOf("--")).join("\n"));
process.exit();
