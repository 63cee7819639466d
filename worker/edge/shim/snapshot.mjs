// A snapshot is the state of Go after its start at build time. app.wasm has the memory; app.json lists the JavaScript values that Go held
// then, which the memory refers to by numbers. The values themselves can't be stored, so app.json says where each is found again.

const FIRST = 7; // the numbers below are those of NaN, 0, null, true, false, the global object and the Go object, in this order

// The objects that get callbacks of Go, which its packages set as they initialise.
const CALLBACK_OBJECTS = ["plaza", "binding"];

/**
 * restore makes a fresh instance of app.wasm the program that the snapshot was taken of, in place of go.run(). It throws if app.wasm has
 * another snapshot's memory: both files have the memory's SHA-256.
 */
export function restore(go, module, instance, { memory, values, counts, free, callbacks }) {
  const [sum] = WebAssembly.Module.customSections(module, "snapshot");
  if (!sum || new TextDecoder().decode(sum) !== memory) throw new Error("app.json and app.wasm are not of the same build");
  const found = values.map((value) => valueIn(go, value));
  go._inst = instance;
  go.mem = new DataView(instance.exports.mem.buffer);
  go._values = [NaN, 0, null, true, false, globalThis, go, ...found];
  go._goRefCounts = [...new Array(FIRST).fill(Infinity), ...counts];
  go._ids = new Map();
  go._values.forEach((value, id) => { if (id > 0 && value !== undefined) go._ids.set(value, id); });
  go._idPool = [...free];
  go.exited = false;
  const wrappers = new Map(); // by the numbers of the callbacks
  values.forEach((value, i) => { if (value?.callback !== undefined) wrappers.set(value.callback, found[i]); });
  // Go drops its own reference to a callback when it collects garbage. The callback itself stays, and JavaScript can still call it.
  for (const [object, name, id] of callbacks) globalThis.context[object][name] = wrappers.get(id) ?? go._makeFuncWrapper(id);
}

function valueIn(go, value) {
  if (value === null) return undefined;
  if (value.callback !== undefined) return go._makeFuncWrapper(value.callback);
  if (value.text !== undefined) return value.text;
  const it = value.path.reduce((parent, name) => parent?.[name], globalThis);
  if (it === undefined || it === null) throw new Error(`the snapshot needs ${value.path.join(".")}, which is not here`);
  return it;
}

/** record makes the Go object record which of its values are callbacks, for describe. */
export function record(go) {
  const callbacks = new Map();
  go._makeFuncWrapper = (id) => {
    const wrapper = Object.getPrototypeOf(go)._makeFuncWrapper.call(go, id);
    callbacks.set(wrapper, id);
    return wrapper;
  };
  return callbacks;
}

/** describe returns what restore needs to know about a waiting Go program. It throws if Go holds a value that can't be found again. */
export function describe(go, callbacks) {
  const places = placesOf();
  const values = go._values.slice(FIRST).map((value, i) => {
    if (value === undefined || go._idPool.includes(i + FIRST)) return null;
    if (typeof value === "string") return { text: value };
    if (callbacks.has(value)) return { callback: callbacks.get(value) };
    if (places.has(value)) return { path: places.get(value) };
    throw new Error(`Go holds ${Object.prototype.toString.call(value)} ${String(value)} before its first event, which no other isolate has`);
  });
  const found = [];
  for (const object of CALLBACK_OBJECTS) {
    for (const [name, value] of Object.entries(globalThis.context[object])) {
      if (callbacks.has(value)) found.push([object, name, callbacks.get(value)]);
    }
  }
  return { values, counts: go._goRefCounts.slice(FIRST), free: [...go._idPool], callbacks: found };
}

// placesOf returns paths of names by objects and functions: of all properties of the global object, and two levels below the objects that
// Go's packages use.
function placesOf() {
  const places = new Map();
  const visit = (parent, path, names, depth) => {
    for (const name of names) {
      let value = null;
      try { value = parent[name]; } catch { /* some can't be read outside an event */ }
      if (value === null || (typeof value !== "object" && typeof value !== "function") || places.has(value)) continue;
      places.set(value, [...path, name]);
      if (depth > 0) visit(value, [...path, name], Object.keys(value), depth - 1);
    }
  };
  visit(globalThis, [], ["context", "fs", "process", "path"], 2);
  for (let it = globalThis; it !== null; it = Object.getPrototypeOf(it)) visit(globalThis, [], Object.getOwnPropertyNames(it), 0);
  return places;
}
