// Talks to the endpoint with the service's own client and prints what came back as one JSON object, which
// TestUpstashOwnClient compares. Usage: upstash_client.mjs URL TOKEN
import { Redis } from "@upstash/redis";

const [url, token] = process.argv.slice(2);
const options = { url, token, enableTelemetry: false, enableAutoPipelining: false, retry: false };
const redis = new Redis(options);
const grouping = new Redis({ ...options, enableAutoPipelining: true });
const plain = new Redis({ ...options, responseEncoding: false });
const stranger = new Redis({ ...options, token: "wrong" });

const steps = {
  "ping": () => redis.ping(),
  "set": () => redis.set("key", "value"),
  "get": () => redis.get("key"),
  "get of nothing": () => redis.get("nothing"),
  "a value that spells OK": async () => [await redis.set("ok", "OK"), await redis.get("ok")],
  "a value that is base64": async () => [await redis.set("b64", "YWJj"), await redis.get("b64")],
  "set with options": () => redis.set("key", "other", { nx: true, ex: 60 }),
  "a JSON value": async () => {
    await redis.set("json", { title: "a \"quoted\" <title>", tags: ["x", "y"], n: 1.5, on: true, none: null });
    return redis.get("json");
  },
  "unicode": async () => {
    await redis.set("unicode", "żółw 🐢 \u2028 日本\u0000\n\t\"\\");
    return redis.get("unicode");
  },
  "unicode in plain JSON": () => plain.get("unicode"),
  "zadd": () => redis.zadd("z", { score: 1, member: "a" }, { score: 2.5, member: "b" }, { score: 3, member: "ç" }),
  "zadd nx": () => redis.zadd("z", { nx: true }, { score: 9, member: "a" }),
  "zrange": () => redis.zrange("z", 0, -1),
  "zrange with scores": () => redis.zrange("z", 0, -1, { withScores: true }),
  "zrange by score, reversed": () => redis.zrange("z", "+inf", "(1", { byScore: true, rev: true, offset: 0, count: 1 }),
  "zscore": () => redis.zscore("z", "b"),
  "hset and hgetall": async () => [await redis.hset("h", { a: "x", b: 2 }), await redis.hgetall("h")],
  "mget": () => redis.mget("key", "nothing", "unicode"),
  "incr": () => redis.incr("n"),
  "a number above 2^53 in text": async () => [await plain.set("big", "9223372036854775807x"), await plain.get("big")],
  "pipeline": () => redis.pipeline().set("p", "1").incr("p").get("p").get("nothing").zrange("z", 0, 0).exec(),
  "pipeline with an error": () => redis.pipeline().set("p", "text").incr("p").get("p").exec({ keepErrors: true }),
  "multi": () => redis.multi().set("m", 1).incrby("m", 41).get("m").exec(),
  "multi with an error when it runs": () => redis.multi().set("m", "x").incr("m").set("m", "after").exec({ keepErrors: true }),
  "multi left what ran": () => redis.get("m"),
  "commands that the client groups": () => Promise.all([grouping.incr("g"), grouping.incr("g"), grouping.incr("g")]),
  "eval": () => redis.eval("return {KEYS[1], ARGV[1], 7, false, {'nested', 1}, redis.call('GET', KEYS[1])}", ["key"], ["ä"]),
  "eval of a status": () => redis.eval("return redis.status_reply('FINE')", [], []),
  "evalsha": async () => redis.evalsha(await redis.scriptLoad("return ARGV[1]"), [], ["loaded"]),
  "scan": async () => (await redis.scan(0, { match: "unicode", count: 1000 })),
  "expire and ttl": async () => [await redis.expire("key", 100), await redis.ttl("key")],
  "type": () => redis.type("z"),
  "wrong type": () => redis.incr("z"),
  "unknown script": () => redis.evalsha("0".repeat(40), [], []),
  "script error": () => redis.eval("return redis.error_reply('MINE went wrong')", [], []),
  "unsupported command": () => redis.exec(["CONFIG", "GET", "*"]),
  "wrong token": () => stranger.get("key"),
  "wrong token in a pipeline": () => stranger.pipeline().get("key").exec(),
  "wrong token in a transaction": () => stranger.multi().get("key").exec(),
  "flushall": async () => [await redis.flushall(), await redis.dbsize()],
};

const out = {};
for (const [name, step] of Object.entries(steps)) {
  try {
    out[name] = await step();
  } catch (e) {
    out[name] = `${e.name}: ${e.message}`.replace(/, command was.*/s, "");
  }
}
console.log(JSON.stringify(out));
