// The shim's settings, from variables of the worker; each has a default that suits the platform.

let from = null;
let limits = null;

const HEADER = /^[a-z0-9][a-z0-9-]*$/i;

const number = (env, name, fallback) => {
  const value = Number(env[name]);
  return env[name] !== undefined && Number.isFinite(value) && value > 0 ? value : fallback;
};

/** limitsOf returns the settings of an environment, read once. */
export function limitsOf(env) {
  if (from === env) return limits;
  from = env;
  const watchdog = number(env, "PLAZA_WATCHDOG_MS", 25_000);
  limits = {
    // The header in which a proxy in front of the worker sends the client's address; "" for none. Not needed at Cloudflare.
    addressHeader: HEADER.test(env.PLAZA_CLIENT_ADDRESS_HEADER || "") ? env.PLAZA_CLIENT_ADDRESS_HEADER.toLowerCase() : "",
    // Whether the zone has image transformations, which make linked pictures small for listings (io.mjs).
    resizes: env.IMAGE_RESIZING === "1",
    // A request's body, bytes. Posts are text: 1 MB is far above any.
    body: number(env, "PLAZA_BODY_BYTES", 1 << 20),
    // How long such a body may take to arrive, and one with pictures, in ms.
    arrival: 20_000,
    arrivalOfPictures: 60_000,
    // How long a request may take: less than the 30 s that waitUntil grants after a response or a disconnect.
    watchdog,
    // Batches and cron ticks may take minutes (the platform stops them after 15).
    batchWatchdog: watchdog * 12,
    // A new Go instance takes over after so many events, in case memory leaks slowly ...
    recycleRequests: number(env, "PLAZA_RECYCLE_REQUESTS", 100_000),
    // ... or at so much memory, which Wasm never releases. An isolate has 128 MB. A fresh instance needs about 15, the
    // old one lives on until its events are over, and bodies in JavaScript need room too.
    recycleBytes: number(env, "PLAZA_RECYCLE_MB", 72) * 1048576,
  };
  return limits;
}
