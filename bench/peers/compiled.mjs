// A worker that has Plaza's program and never starts it: what it takes to be there is compiling.

import program from "./app.wasm";

export default {
  fetch: () => new Response(program instanceof WebAssembly.Module ? "compiled" : "not compiled"),
};
