// What runs before Go: pictures, tools, and the edge cache. worker.mjs has it in front of its own Go, and gateway.mjs in front of another
// worker's.

import { cached, isPersonal } from "./cache.mjs";
import { count } from "./counts.mjs";
import { LATE } from "./late.mjs";
import { errorPage, loggedPath } from "./pages.mjs";
import { CLOSED, hear, isClosedHere } from "./place.mjs";
import { isPicture, servePicture } from "./served.mjs";

const quiet = () => {};

/**
 * front returns the handler of requests. askGo(request, env, ctx, shared) lets Go handle one; `shared` is what a visitor's response may
 * depend on, or null (cache.mjs). tool(request, env) returns the response to a tool, or null.
 */
export function front(askGo, tool) {
  const ask = async (request, env, ctx, shared) => {
    const response = await askGo(request, env, ctx, shared);
    hear(response.headers);
    return response;
  };

  const respond = async (request, env, ctx) => {
    try {
      if (isPicture(request)) {
        // Any page has the header with the closed places. This one reads nothing else.
        const settings = { url: `${new URL(request.url).origin}/manifest.webmanifest`, headers: [] };
        if (!await isClosedHere(request, () => ask(new Request(settings.url), env, ctx, settings))) {
          count(request, "cached");
          return await servePicture(request, env, ctx);
        }
        return toVisitor(await ask(request, env, ctx, null));
      }
      const forTool = await tool(request, env);
      if (forTool) return forTool;
      return toVisitor(await cached(request, ctx, (shared) => ask(request, env, ctx, shared)));
    } catch (error) {
      console.error(`plaza: ${request.method} ${loggedPath(new URL(request.url).pathname)}: ${error?.stack || error}`);
      const late = error?.message === LATE;
      count(request, "failed", isPersonal(request));
      if (late) count(request, "late", isPersonal(request));
      return errorPage(request, late ? 503 : 500);
    }
  };

  return (request, env, ctx) => {
    const response = respond(request, env, ctx);
    // The platform cancels the event of a client that goes away, unless waitUntil keeps it. Without this the handler would stop
    // half-way.
    ctx.waitUntil(response.then(quiet, quiet));
    return response;
  };
}

// toVisitor removes from a response what is only for the shim.
function toVisitor(response) {
  response.headers.delete(CLOSED);
  return response;
}
