// Requests a second, times and CPU of pages and acts, on workers that are warm. Each scenario is measured by turns: a round of each worker,
// then the next round.

import { median } from "./numbers.mjs";
import { startFloor, startHono, startStock } from "./peers.mjs";
import { wasmMemory } from "./worker.mjs";

// The workers by the names that the report has for them.
export const PLAZA = "Plaza", HONO = "Hono", HONO_CACHES = "Hono with caches", FLOOR = "plain JavaScript", STOCK = "workers.Serve";

/** scenarios are what is measured. peers names the others that can do the same. */
export function scenarios(it) {
  const listing = `/c/${it.community}`;
  return [
    { name: "a visitor's page from the cache", paths: [listing], cookies: [] },
    { name: "a community's page, warm", paths: [listing], peers: [HONO_CACHES, FLOOR, STOCK] },
    { name: "a community's page, nothing warm", paths: [listing], fresh: true, peers: [HONO, FLOOR] },
    { name: "a community's page, after a vote", paths: [listing], voted: true, peers: [HONO] },
    { name: "a thread of 500 comments", paths: [it.thread], fresh: true, peers: [HONO, FLOOR] },
    { name: "a thread of 500 comments, read again", paths: [it.thread], peers: [HONO] },
    { name: "the front page", paths: ["/"], fresh: true },
    { name: "a search", paths: ["/search?q=light"], fresh: true },
    { name: "the inbox", paths: ["/inbox"], fresh: true },
    { name: "a vote", kind: "vote", targets: it.targets },
    { name: "a comment", kind: "comment", targets: it.targets },
    { name: "an upload of 0.2 MB", kind: "upload", cookies: it.admins, community: it.community, requests: 30, connections: 4 },
  ].map((scenario) => ({ kind: "get", peers: [], ...scenario }));
}

/**
 * measurePages returns a line of figures for each scenario and worker. warm is how many seconds each
 * worker has before it is measured. stock has workers.Serve measured as well, which takes a while to compile.
 */
export async function measurePages(it, { seconds, warm, rounds, stock, say, only }) {
  const workers = {
    [PLAZA]: await it.serve(it.deployed("plaza")),
    [HONO]: await startHono(it, false),
    [HONO_CACHES]: await startHono(it, true),
  };
  if (stock) workers[STOCK] = await startStock(it);
  const lines = [];
  try {
    // The engine compiles anew what runs often, for some thousand requests.
    const busy = { kind: "get", paths: [`/c/${it.community}`], fresh: true, seconds: 4 * warm };
    for (const who of [PLAZA, HONO, HONO_CACHES]) await it.load(workers[who], busy);
    for (const scenario of scenarios(it).filter(({ name }) => !only || name.includes(only))) {
      const { name, peers, ...job } = scenario;
      const here = { ...workers };
      if (peers.includes(FLOOR)) here[FLOOR] = await startFloor(it, workers[PLAZA], String(lines.length), job);
      const taking = [PLAZA, ...peers].filter((who) => here[who]);
      const found = Object.fromEntries(taking.map((who) => [who, []]));
      for (let round = -1; round < rounds; round += 1) { // the first one warms
        for (const who of round % 2 === 0 ? taking : taking.toReversed()) {
          const one = await once(it, here[who], { ...job, seconds: round < 0 ? warm : seconds });
          if (round >= 0) found[who].push(one);
        }
      }
      for (const who of taking) {
        const of = (key) => median(found[who].map((one) => one[key]));
        const line = { scenario: name, worker: who, perSecond: of("per_second"), p50: of("p50_ms"), p99: of("p99_ms"), cpu: of("cpu"), bytes: of("bytes"), failures: found[who].reduce((sum, one) => sum + one.failures, 0),
          wasm: wasmMemory(here[who].pid) };
        lines.push(line);
        say(`${name}, ${who}: ${line.perSecond.toFixed(0)}/s, ${line.cpu.toFixed(3)} ms CPU, p50 ${line.p50.toFixed(1)}, p99 ${line.p99.toFixed(1)}, ${line.bytes} bytes`);
      }
      await here[FLOOR]?.stop();
    }
  } finally {
    for (const worker of Object.values(workers)) await worker.stop();
  }
  return lines;
}

async function once(it, worker, job) {
  const before = worker.cpu();
  const run = () => it.load(worker, job);
  const one = job.kind === "get" ? await run() : await worker.consume(run);
  return { ...one, cpu: (worker.cpu() - before) / one.requests };
}
