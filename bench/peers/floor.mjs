// The floor of a page: a worker that sends the same requests to Redis and the database as Plaza, one after the other, reads the answers and
// returns as many bytes, without looking at anything. REQUESTS and BYTES come from the measurement.

let requests, page;

export default {
  async fetch(_, env) {
    requests ??= JSON.parse(env.REQUESTS).map(({ body, ...rest }) => ({ ...rest, body: Uint8Array.from(atob(body), (c) => c.charCodeAt(0)) }));
    page ??= new Uint8Array(Number(env.BYTES)).fill(120);
    for (const { url, ...init } of requests) await (await fetch(url, init)).arrayBuffer();
    return new Response(page, { headers: { "content-type": "text/html" } });
  },
};
