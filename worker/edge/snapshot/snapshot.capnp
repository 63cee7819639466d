# The build runs it with `workerd test`: worker/edge/build.sh puts the modules and the seed beside it.
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "take", worker = .take),
    (name = "out", disk = (path = "out", writable = true)),
  ],
);
const take :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "take.mjs", esModule = embed "take.mjs"),
    (name = "wasm_exec.js", esModule = embed "wasm_exec.js"),
    (name = "exports_globals.wasm", wasm = embed "exports_globals.wasm"),
  ],
  bindings = [
    (name = "seed", text = embed "seed"),
    (name = "out", service = "out"),
  ],
);
