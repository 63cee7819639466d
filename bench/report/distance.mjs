// What somebody who reads and writes waits for, where the database is far from the worker: one request after the other, on workers that are
// warm. bench/network takes that much longer about each request.

import { startHono } from "./peers.mjs";
import { HONO, HONO_CACHES, PLAZA } from "./pages.mjs";

/** WAYS are the distances, in ms there and back. user is the way between the reader's edge and the worker. */
export const WAYS = [
  { name: "on this machine", database: 0, redis: 0, user: 0 },
  { name: "database 30 ms away, Redis 10 ms", database: 30, redis: 10, user: 0 },
  { name: "worker beside the database (placement)", database: 1, redis: 1, user: 30 },
];

/** measureDistance returns the median of each request's time for each way, in ms. */
export async function measureDistance(it, { requests, say }) {
  const workers = {
    [PLAZA]: await it.serve(it.deployed("far")),
    [HONO]: await startHono(it, false),
    [HONO_CACHES]: await startHono(it, true),
  };
  const listing = { kind: "get", paths: [`/c/${it.community}`], peers: [HONO] };
  const kinds = {
    "a community's page, warm": { ...listing, peers: [HONO_CACHES] },
    "a community's page, nothing warm": { ...listing, fresh: true },
    "a thread of 500 comments": { ...listing, paths: [it.thread], fresh: true },
    "the front page": { kind: "get", paths: ["/"], fresh: true, peers: [] },
    "a search": { kind: "get", paths: ["/search?q=light"], fresh: true, peers: [] },
    "the inbox": { kind: "get", paths: ["/inbox"], fresh: true, peers: [] },
    "a vote": { kind: "vote", targets: it.targets, peers: [] },
    "a comment": { kind: "comment", targets: it.targets, peers: [] },
    "an upload of 0.2 MB": { kind: "upload", cookies: it.admins, community: it.community, peers: [] },
  };
  const lines = [];
  // One member: a page that is warm for one is not warm for another.
  const alone = { connections: 1, cookies: it.members.slice(0, 1), seconds: 60 };
  try {
    for (const { peers, ...job } of Object.values(kinds)) { // the engine compiles anew what runs often
      for (const who of [PLAZA, ...peers]) await it.load(workers[who], { ...alone, ...job, requests: 5 * requests, seconds: 4 });
    }
    for (const worker of Object.values(workers)) await worker.deliver();
    for (const way of WAYS) {
      await it.network.ask({ database_ms: way.database, redis_ms: way.redis });
      for (const [name, { peers, ...job }] of Object.entries(kinds)) {
        for (const who of [PLAZA, ...peers]) {
          const one = { ...alone, ...job };
          await it.load(workers[who], { ...one, requests: 3 });
          const { p50_ms: p50 } = await it.load(workers[who], { ...one, requests });
          await workers[who].deliver();
          lines.push({ way: way.name, request: name, worker: who, ms: p50 + way.user });
          say(`${way.name}: ${name}, ${who}: ${(p50 + way.user).toFixed(1)} ms`);
        }
      }
    }
  } finally {
    await it.network.ask({});
    for (const worker of Object.values(workers)) await worker.stop();
  }
  return lines;
}

