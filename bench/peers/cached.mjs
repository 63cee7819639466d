// The floor of a visitor's page: a worker that returns what the edge cache has of an address, and does nothing else.

export default {
  async fetch(request) {
    return (await caches.default.match(request.url)) ?? new Response("not in the cache", { status: 404 });
  },
};
