// The supervisor: one Go instance that many events share, and what happens when it dies, hangs or grows old.
//
// Terms. An *instance* is one running Go program. A *turn* is one event (a request, a queue batch, a cron tick) inside
// an instance. The instance is "in a turn" while its code runs for that event: from the moment the event enters
// Go, and again in each of the event's callbacks, until Go has nothing left to run and returns.
//
// Workerd ties I/O and promises to the event that made them. So everything here happens in the event's own context. If Go
// responds to an event in the turn of another one, the response is kept until a timer of its own event fetches it.

import { bridgeOf } from "./io.mjs";
import { LATE } from "./late.mjs";
import { memoryOf } from "./memory.mjs";
import { supplyRuntime } from "./runtime.mjs";
import { restore } from "./snapshot.mjs";

const TICK = 500; // ms after which each event checks its instance again, so that a crash is noticed within that time
const FORGOTTEN = 120_000; // ms from its deadline until a turn is removed whose event the platform has cancelled

/** Turn is one event inside an instance. `response` settles with Go's response, `done` when Go has finished altogether. */
export class Turn {
  constructor(instance, id, { env, head = "", body = null, pictures = null, messages = null, limit }) {
    Object.assign(this, { instance, id, env, head, body, pictures, messages, limit });
    this.deadline = Date.now() + limit;
    this.outcome = null;
    this.kept = null; // a picture that another server has sent, which may become the response's body
    this.responded = this.ended = this.over = false;
    this.response = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
    this.done = new Promise((resolve) => { this.finished = resolve; });
    this.response.catch(() => {});
    this.timer = 0;
  }

  /** begin enters Go with the event's first step. An event that is over after that, as many pages are, needs no timer. */
  begin(ctx, fn) {
    this.instance.enter(this, fn);
    if (this.over) return;
    ctx.waitUntil(this.done);
    this.tick = this.tick.bind(this);
    this.timer = setTimeout(this.tick, TICK);
  }

  /** settle passes on what Go has returned so far. It is only called in the turn's own event. */
  settle() {
    if (this.over) return;
    if (this.outcome && !this.responded) {
      this.responded = true;
      this.deadline = Date.now() + this.limit;
      this.resolve(this.outcome);
      this.outcome = this.body = this.pictures = null;
    }
    if (this.ended) this.finish("Go ended the event without an answer");
    else if (this.instance.dead) this.finish(this.instance.dead);
  }

  finish(why) {
    if (this.over) return;
    this.over = true;
    if (this.timer) clearTimeout(this.timer);
    this.instance.turns.delete(this.id);
    if (!this.responded) this.reject(new Error(why));
    this.finished();
  }

  tick() {
    if (this.over) return;
    this.instance.noticeExit();
    this.settle();
    if (this.over) return;
    if (Date.now() >= this.deadline) {
      console.error(`plaza: event ${this.id} of instance ${this.instance.number} was not over after ${this.limit} ms`);
      this.instance.stuck++;
      this.finish(LATE);
      return;
    }
    this.timer = setTimeout(this.tick, TICK);
  }
}

let instances = 0;

/** Instance is one running Go program. An early one starts in the global scope, before the first event. */
export class Instance {
  constructor(module, snapshot, env, early = false) {
    this.number = ++instances;
    this.early = this.starting = early;
    this.seed = null; // the snapshot was taken with one; nothing may read it again
    this.turns = new Map();
    this.served = this.stuck = this.refused = 0;
    this.turn = null; // whose turn it is
    this.dead = "";
    this.reply = null; // the result of the operation that was over last, for Go to read
    this.binding = {};
    this.bridge = bridgeOf(this);
    this.start(module, snapshot, env);
  }

  start(module, snapshot, env) {
    const go = (this.go = new Go());
    go.exit = (code) => { this.dead ||= `the Go program exited with code ${code}`; };
    go._resolveExitPromise = () => {}; // nothing waits for it, and its event may be long over
    // A trap may happen in a call from Go to JavaScript and back. The outer call would catch it and let Go continue.
    go._resume = () => {
      try {
        Go.prototype._resume.call(go);
      } catch (error) {
        this.die(error);
        throw error;
      }
    };
    supplyRuntime(this, go);
    let ready = false;
    const imports = { ...go.importObject, workers: { ready: () => { ready = true; } }, plaza: memoryOf(this, go) };
    // The library reads it while its packages initialise, and the snapshot refers to it. No event sees it.
    globalThis.context = { env, binding: this.binding, plaza: this.bridge };
    try {
      restore(go, module, new WebAssembly.Instance(module, imports), snapshot);
      // begin() goes on synchronously until Go waits for its first event.
      this.bridge.begin();
    } catch (error) {
      this.die(error);
    } finally {
      delete globalThis.context;
      this.starting = false;
      this.noticeExit();
    }
    if (!ready && !this.dead) this.die(new Error("Go was not ready when its start returned"));
    if (this.dead) throw new Error(`Go did not start: ${this.dead}`);
  }

  get bytes() {
    return this.go.mem.buffer.byteLength;
  }

  /** enter runs fn, which calls into Go, as a step of the turn. An exception means that the Go program has ended. */
  enter(turn, fn) {
    const outer = this.turn;
    this.turn = turn;
    try {
      fn();
    } catch (error) {
      this.die(error);
    } finally {
      this.turn = outer;
      this.noticeExit();
      turn?.settle();
    }
  }

  /** resume passes the result of an operation to Go, in the turn that started it. */
  resume(turn, op, code, text, bytes) {
    if (this.noticeExit()) turn.settle();
    else {
      this.enter(turn, () => {
        this.reply = { op, code, text, bytes };
        this.bridge.resume();
      });
    }
  }

  /** noticeExit reports whether the program is over. */
  noticeExit() {
    if (!this.dead && this.go.exited) this.dead = "the Go program exited";
    if (this.dead && !this.mourned) {
      this.mourned = true;
      console.error(`plaza: instance ${this.number} is gone with ${this.turns.size} events in flight: ${this.dead}`);
    }
    return this.dead !== "";
  }

  die(error) {
    this.dead ||= String(error?.stack || error);
    const { go } = this;
    go.exited = true;
    // As at a regular exit: Go code that is still on the stack fails at its next call, and the memory is freed.
    for (const part of ["_inst", "_values", "_goRefCounts", "_ids", "_idPool"]) delete go[part];
    this.noticeExit();
  }

  /** sweep removes turns whose event the platform cancelled: their own timers will never fire. */
  sweep() {
    const now = Date.now();
    for (const [id, turn] of this.turns) if (now > turn.deadline + FORGOTTEN) this.turns.delete(id);
    return this.turns.size;
  }
}

/** Supervisor keeps one instance for new events, and at most one older one that finishes what it has begun. */
export class Supervisor {
  constructor(module, snapshot) {
    this.module = module;
    this.snapshot = snapshot;
    this.current = this.draining = null;
    this.turnIDs = 0;
  }

  /**
   * startEarly starts the first instance in the global scope. An error is logged, and the first event then starts the instance.
   */
  startEarly(env) {
    try {
      if (!env) throw new Error("the platform shows no environment");
      this.current = new Instance(this.module, this.snapshot, env, true);
    } catch (error) {
      console.error(`plaza: Go starts with the first event, because it did not start before: ${error?.stack || error}`);
    }
  }

  /** instance returns the one for the next event. It starts one if needed. */
  instance(env, limits) {
    let it = this.current;
    if (it && it.noticeExit()) it = null;
    if (it && (it.served >= limits.recycleRequests || it.bytes >= limits.recycleBytes || it.stuck > 0)) {
      if (!this.draining || this.draining.dead || this.draining.sweep() === 0) {
        this.draining = it;
        it = null;
      }
    }
    if (this.draining?.turns.size === 0) this.draining = null;
    return (this.current = it || new Instance(this.module, this.snapshot, env));
  }

  /** senderOf asks Go whose session or token a request has; "" is nobody's. No database is read, so the session may have been ended. */
  senderOf({ headers }, env, limits) {
    const instance = this.instance(env, limits);
    let sender = "";
    instance.enter(null, () => { sender = instance.bridge.senderOf(headers.get("cookie") ?? "", headers.get("authorization") ?? ""); });
    return sender;
  }

  /** open makes a turn in the current instance, which the caller begins at once. */
  open(limits, event) {
    const instance = this.instance(event.env, limits);
    const turn = new Turn(instance, ++this.turnIDs, event);
    instance.served++;
    instance.turns.set(turn.id, turn);
    return turn;
  }
}
