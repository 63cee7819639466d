// A second worker that may stand in front of Plaza's, without Go: a visitor's page from the edge cache then waits for no start of Go
// (docs/operations/gateway.md). Everything else goes on to the entrypoint Site of worker.mjs. Built into build/gateway.mjs;
// wrangler.gateway.toml deploys it.

import { pathBegins } from "./shim/address.mjs";
import { takeCounts } from "./shim/counts.mjs";
import { front } from "./shim/front.mjs";

async function ask(request, env, ctx, shared) {
  const response = await env.SITE.ask(request, shared, takeCounts());
  return new Response(response.body, response); // whose headers may be changed
}

// tool passes a tool's request on, which needs no Go either but much code.
const tool = (request, env) => (pathBegins(request, "/tools/") ? env.SITE.fetch(request) : null);

export default { fetch: front(ask, tool) };
