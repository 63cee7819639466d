// An optional second worker in front of Plaza's, without Go: a visitor's page from the edge cache then waits for no start of Go
// (docs/operations/gateway.md). Everything else is passed on to the entrypoint Site of worker.mjs. Built into build/gateway.mjs;
// wrangler.gateway.toml deploys it.

import { pathBegins } from "./shim/address.mjs";
import { takeCounts } from "./shim/counts.mjs";
import { front } from "./shim/front.mjs";

async function ask(request, env, ctx, shared) {
  const response = await env.SITE.ask(request, shared, takeCounts());
  return new Response(response.body, response); // a copy, with headers that can be changed
}

// tool passes on a tool's request: that needs no Go either, but much code.
const tool = (request, env) => (pathBegins(request, "/tools/") ? env.SITE.fetch(request) : null);

export default { fetch: front(ask, tool) };
