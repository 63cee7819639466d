// Starts app.wasm at build time, until it waits for its environment (waitForBegin in run_js.go), and writes a snapshot of it. It runs on
// workerd, so that Go finds what it finds on the platform; snapshot.capnp starts it.

import "./wasm_exec.js";
import module from "./exports_globals.wasm";
import { sumOf } from "../shim/form.mjs";
import { bridgeOf } from "../shim/io.mjs";
import { memoryOf } from "../shim/memory.mjs";
import { Seed, supplyRuntime } from "../shim/runtime.mjs";
import { describe, record } from "../shim/snapshot.mjs";

const decoder = new TextDecoder();
globalThis.fs.writeSync = (fd, bytes) => {
  console.error(decoder.decode(bytes));
  return bytes.length;
};

export default {
  async test(_, { seed, out }) {
    const instance = { starting: true, early: false, seed: new Seed(seed), binding: {}, reply: null, die: (error) => { throw error; } };
    instance.bridge = bridgeOf(instance);
    const go = new Go();
    go.exit = (code) => { throw new Error(`Go exited with code ${code}`); };
    supplyRuntime(instance, go);
    globalThis.context = { env: {}, binding: instance.binding, plaza: instance.bridge };
    const callbacks = record(go);
    let failed = null;
    const program = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: () => {} }, plaza: memoryOf(instance, go) });
    go.run(program).catch((error) => { failed = error; });
    await Promise.resolve(); // so that a failed start has set failed
    if (failed) throw failed;
    if (typeof instance.bridge.begin !== "function") throw new Error("Go has not reached waitForBegin");
    const { exports } = program;
    const globals = Object.entries(exports).filter(([name]) => /^global\d+$/.test(name)).map(([, { value }]) => String(value));
    const put = async (name, body) => {
      const response = await out.fetch(`http://out/${name}`, { method: "PUT", body });
      await response.text(); // workerd does not end before it was read
      if (!response.ok) throw new Error(`${name} could not be written: status ${response.status}`);
    };
    const memory = exports.mem.buffer.slice(0);
    await put("memory", memory);
    await put("globals", globals.join("\n"));
    await put("snapshot.json", JSON.stringify({ memory: await sumOf(memory), ...describe(go, callbacks) }));
  },
};
