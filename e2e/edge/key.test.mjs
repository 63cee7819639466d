// How the shim writes addresses: one way for each page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanAddress } from "../../worker/edge/shim/address.mjs";
import { sharedView } from "../../worker/edge/shim/cache.mjs";

const key = (path) => sharedView(new Request(`https://plaza.example${path}`)).key.replace("https://plaza.example", "");

test("addresses of one page have one key", () => {
  const same = {
    "/c/golang/top?t=week": ["/c/GoLang/top?t=week", "/c/gol%61ng/top?x=1&t=week&y=2", "/c/golang/top?t=week&t=day&utm_source=z", "/c/golang/t%6fp?t=week"],
    "/c/golang/p/a-post?sort=new": ["/c/golang/p/a-post?sort=new&x=1", "/c/golang/p/a-post?after=&sort=new", "/c/golang/p/a-post?__variant=json&sort=new&sort=old"],
    "/c/golang/p/a-post?sort=%21": ["/c/golang/p/a-post?sort=1", "/c/golang/p/a-post?sort=NEW", "/c/golang/p/a-post?sort=new%00"],
    "/search?q=a&sort=%21&t=%21": ["/search?t=decade&q=a&sort=BEST&x=1", "/search?sort=1&t=2&q=a"],
    "/communities?sort=%21": ["/communities?sort=x", "/communities?sort=hot&x=1"],
    "/u/ann/comments?sort=%21": ["/u/Ann/comments?sort=1", "/u/ann/comments?sort=Top"],
    "/top?t=%21": ["/top?t=decade", "/top?t=Day&t=day"],
    "/new?after=%21": ["/new?after=x", "/new?after=!", `/new?after=${"0".repeat(26)}`, `/new?after=${"n".repeat(28)}`, `/new?after=${"0".repeat(27)}`],
    "/c/golang/top.json?t=week&__variant=json": ["/c/GoLang/top.json?x=1&t=week", "/c/golang/t%6fp.json?t=week&utm_source=z"],
    "/.json?__variant=json": ["/.json?x=1"],
    "/u/ann": ["/u/ANN", "/u/ann?x", "/u/%61nn?#y"],
    "/img/0123456789abc": ["/img/0123456789abc?1"],
    "/": ["/?x=1", "/?"],
  };
  for (const [clean, others] of Object.entries(same)) {
    assert.equal(key(clean.replaceAll("%21", "!")), clean);
    for (const other of others) assert.equal(key(other), clean, other);
  }
});

test("a thousand junk addresses of a thread are one key", () => {
  const keys = new Set();
  for (let i = 0; i < 1000; i++) keys.add(key(`/c/golang/p/a-post?x=${i}&${i}=x&left=x${i}&sort=${i}&t=${i}`));
  assert.equal(keys.size, 1);
});

test("other addresses are as they were, but for tracking and order", () => {
  for (const path of ["/login?next=%2Fx", "/c/GoLang/submit?title=A", "/c//p/x", "/c/golang/", "/c/%ff", "/nothing?x=1"]) assert.equal(key(path), path);
  assert.equal(key("/login?z=1&utm_source=a&next=%2F"), "/login?next=%2F&z=1");
  assert.equal(cleanAddress(new URL("https://plaza.example/c/a%2Fp/p/x")).path, "/c/a%2Fp/p/x", "an escaped slash divides nothing");
});

test("a page has a key for each density and theme that there is, and Go sees no other cookie", () => {
  const at = (path, cookie, headers = {}) => sharedView(new Request(`https://plaza.example${path}`, { headers: { cookie, ...headers } }));
  const dark = at("/c/GoLang", "a=b; display=compact.dark; __cf_bm=secret");
  assert.equal(dark.key, "https://plaza.example/c/golang?__variant=compact.dark");
  assert.deepEqual(dark.headers.filter(([name]) => name === "cookie"), [["cookie", "display=compact.dark"]]);
  assert.equal(at("/", "display=.light").key, "https://plaza.example/?__variant=.light");
  assert.equal(at("/", "display=cards.").key, "https://plaza.example/?__variant=cards.");
  for (const cookie of ["display=.", "display=x.dark", "display=compact.dark2", "display=compact", "mydisplay=compact.dark", "display=compact.dark.x"]) {
    const usual = at("/", cookie);
    assert.equal(usual.key, "https://plaza.example/", cookie);
    assert.ok(!usual.headers.some(([name]) => name === "cookie"), cookie);
  }
  assert.equal(at("/new.json", "display=compact.dark").key, "https://plaza.example/new.json?__variant=json");
  assert.equal(at("/img/0123456789abc", "display=compact.dark").key, "https://plaza.example/img/0123456789abc");
  assert.equal(at("/new", "display=compact.dark", { "hx-request": "true" }).key, "https://plaza.example/new?__variant=hx");
});

test("a page has a key for each language, never for what else a browser asks for", () => {
  const at = (path, headers) => sharedView(new Request(`https://plaza.example${path}`, { headers }));
  for (const asked of ["de", "de-AT,de;q=0.9,en;q=0.8", "tlh;q=0.9, DE;q=0.5", "en;q=0.2,de;q=0.3"]) {
    const german = at("/c/golang", { "accept-language": asked });
    assert.equal(german.key, "https://plaza.example/c/golang?__variant=..de", asked);
    assert.deepEqual(german.headers.filter(([name]) => name === "cookie"), [["cookie", "display=..de"]], "Go hears of it by the cookie alone");
    assert.ok(!german.headers.some(([name]) => name === "accept-language"));
  }
  for (const asked of ["", "en", "tlh", "*", "de;q=0", "xx-de", "en,de;q=0.9", "de;q=x"]) {
    assert.equal(at("/c/golang", { "accept-language": asked }).key, "https://plaza.example/c/golang", asked);
  }
  const chosen = (cookie) => at("/", { cookie, "accept-language": "de" }).key;
  assert.equal(chosen("display=..en"), "https://plaza.example/");
  assert.equal(chosen("display=compact.dark.en"), "https://plaza.example/?__variant=compact.dark");
  assert.equal(chosen("display=compact.dark.de"), "https://plaza.example/?__variant=compact.dark.de");
  assert.equal(chosen("display=..tlh"), "https://plaza.example/?__variant=..de");
  assert.equal(at("/new", { "accept-language": "de", "hx-request": "true" }).key, "https://plaza.example/new?__variant=hx..de");
  assert.equal(at("/new.json", { "accept-language": "de" }).key, "https://plaza.example/new.json?__variant=json");
  for (const plain of ["/new.atom", "/sitemap.xml", "/robots.txt"]) {
    assert.equal(at(plain, { "accept-language": "de", cookie: "display=compact.dark" }).key, `https://plaza.example${plain}`);
  }
  assert.equal(at("/img/0123456789abc", { "accept-language": "de" }).key, "https://plaza.example/img/0123456789abc");
});
