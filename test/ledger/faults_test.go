package ledger

import (
	"slices"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"plaza"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/migrate"
	"plaza/stack"
)

// faults are all faults, by the part of the site that fails.
func faults() []Fault {
	return slices.Concat(databaseFaults, responseFaults, redisFaults, queueFaults, timeFaults, buildFaults, shardFaults)
}

// kill is the end of a database without a warning.
func kill(w *FaultySite) error {
	w.Databases[0].Kill()
	return nil
}

func startAgain(w *FaultySite) error { return w.Databases[0].startAgain(w.Context()) }

// signal sends a signal to the process of a database.
func signal(s syscall.Signal) func(w *FaultySite) error {
	return func(w *FaultySite) error { return syscall.Kill(w.Databases[0].PID(), s) }
}

// onDatabase sets a fault of the way to a database; onRedis to Redis.
func onDatabase(f stack.Fault) func(w *FaultySite) error {
	return func(w *FaultySite) error { return w.Databases[0].proxy.Set(f) }
}

func onRedis(f stack.Fault) func(w *FaultySite) error {
	return func(w *FaultySite) error { return w.Redis.Set(f) }
}

// onShard sets a fault of the way to the first of several shards.
func onShard(f stack.Fault) func(w *FaultySite) error {
	return func(w *FaultySite) error { return w.Databases[1].proxy.Set(f) }
}

var databaseFaults = []Fault{
	{Part: "database", Name: "killed (kill -9) and started again", Lasts: 2 * time.Second, begin: kill, end: startAgain},
	{Part: "database", Name: "killed five times", Lasts: 3 * time.Second, step: func() func(w *FaultySite) error {
		n := 0
		return func(w *FaultySite) error {
			if n++; n%2 == 0 {
				return nil
			}
			w.Databases[0].Kill()
			return w.Databases[0].startAgain(w.Context())
		}
	}()},
	{Part: "database", Name: "stopped (SIGSTOP) and going on", Lasts: 4 * time.Second, begin: signal(syscall.SIGSTOP), end: signal(syscall.SIGCONT)},
	{Part: "database", Name: "takes requests and never answers", Lasts: 4 * time.Second, begin: onDatabase(stack.Fault{Kind: "hole"}),
		end: onDatabase(stack.Fault{})},
	{Part: "database", Name: "disk full", Lasts: 2 * time.Second, open: smallDisk, begin: fillDisk, end: clearDisk},
	{Part: "database", Name: "power cut", Lasts: 2 * time.Second, open: imageDisk, ready: flushDisk, begin: cutPower},
}

// share of the answers that meet a fault: retries overcome most, and some requests fail.
const share = 0.3

var responseFaults = []Fault{
	{Part: "answers of the database", Name: "lost after the commit", Lasts: 2 * time.Second,
		begin: onDatabase(stack.Fault{Kind: "lose", Share: share}), end: onDatabase(stack.Fault{})},
	{Part: "answers of the database", Name: "an error after the commit", Lasts: 2 * time.Second,
		begin: onDatabase(stack.Fault{Kind: "lose", Share: share, Status: 500, ContentType: "application/json", Body: `{"error":"lost"}`}),
		end:   onDatabase(stack.Fault{})},
	{Part: "answers of the database", Name: "truncated after the commit", Lasts: 2 * time.Second,
		begin: onDatabase(stack.Fault{Kind: "cut", Share: share}), end: onDatabase(stack.Fault{})},
	{Part: "answers of the database", Name: "the request doubled", Lasts: 2 * time.Second,
		begin: onDatabase(stack.Fault{Kind: "twice", Share: share}), end: onDatabase(stack.Fault{})},
	{Part: "answers of the site", Name: "lost on their way to the browser", Lasts: time.Second, responseLost: true, Works: true},
	{Part: "answers of the site", Name: "each form sent twice in the same moment", Lasts: time.Second, twice: true, Works: true},
}

// redisDo runs a command that Upstash does not offer.
func redisDo(commands ...[]any) func(w *FaultySite) error {
	return func(w *FaultySite) error {
		if w.redis.Kind != stack.KindServer {
			w.Skip("it needs a redis-server")
		}
		client := redis.NewClient(&redis.Options{Addr: w.redis.Addr})
		defer client.Close()
		for _, command := range commands {
			if err := client.Do(w.Context(), command...).Err(); err != nil {
				return err
			}
		}
		return nil
	}
}

// wrongTypes makes every key a list.
func wrongTypes(w *FaultySite) error {
	replies, err := w.clean.Pipeline(w.Context(), upstash.Cmd{"KEYS", "*"})
	if err != nil {
		return err
	}
	keys, err := replies[0].Strings()
	if err != nil || len(keys) == 0 {
		return err
	}
	var commands []upstash.Cmd
	for _, key := range keys {
		commands = append(commands, upstash.Cmd{"DEL", key}, upstash.Cmd{"LPUSH", key, "a"})
	}
	_, err = w.clean.Pipeline(w.Context(), commands...)
	return err
}

func flush(w *FaultySite) error {
	_, err := w.clean.Pipeline(w.Context(), upstash.Cmd{"FLUSHALL"})
	return err
}

var redisFaults = []Fault{
	{Part: "Redis", Name: "down", Lasts: 1500 * time.Millisecond, Works: true, begin: onRedis(stack.Fault{Kind: "refuse"}), end: onRedis(stack.Fault{})},
	{Part: "Redis", Name: "takes requests and never answers", Lasts: 3 * time.Second, Works: true, begin: onRedis(stack.Fault{Kind: "hole"}),
		end: onRedis(stack.Fault{})},
	{Part: "Redis", Name: "slow", Lasts: 2 * time.Second, Works: true, begin: onRedis(stack.Fault{Kind: "delay", Millis: 400}),
		end: onRedis(stack.Fault{})},
	{Part: "Redis", Name: "answers with errors", Lasts: 1500 * time.Millisecond, Works: true,
		begin: onRedis(stack.Fault{Kind: "answer", Status: 500, ContentType: "application/json", Body: `{"error":"ERR internal"}`}),
		end:   onRedis(stack.Fault{})},
	{Part: "Redis", Name: "truncated answers", Lasts: 1500 * time.Millisecond, Works: true, begin: onRedis(stack.Fault{Kind: "cut"}),
		end: onRedis(stack.Fault{})},
	{Part: "Redis", Name: "keys of another type", Lasts: 1500 * time.Millisecond, Works: true, step: wrongTypes},
	{Part: "Redis", Name: "emptied again and again", Lasts: 1500 * time.Millisecond, Works: true, step: flush},
	{Part: "Redis", Name: "full (OOM)", Lasts: 1500 * time.Millisecond, Works: true,
		begin: redisDo([]any{"CONFIG", "SET", "maxmemory-policy", "noeviction"}, []any{"CONFIG", "SET", "maxmemory", "1"}),
		end:   redisDo([]any{"CONFIG", "SET", "maxmemory", "0"})},
	{Part: "Redis", Name: "read-only", Lasts: 1500 * time.Millisecond, Works: true, begin: redisDo([]any{"REPLICAOF", "127.0.0.1", "1"}),
		end: redisDo([]any{"REPLICAOF", "NO", "ONE"})},
}

func queues(m manner) func(w *FaultySite) error {
	return func(w *FaultySite) error {
		w.Queue.become(m)
		return nil
	}
}

// hours lets time pass in ten steps, with the job of each minute or without it.
func hours(n int, job bool) func(w *FaultySite) error {
	return func(w *FaultySite) error {
		now := w.clock.pass(time.Duration(n) * time.Hour / 10)
		if job {
			return w.App.Scheduled(w.Context(), now)
		}
		return nil
	}
}

var queueFaults = []Fault{
	{Part: "queues", Name: "messages lost", Lasts: time.Second, Works: true, begin: queues(drops), end: queues(delivers)},
	{Part: "queues", Name: "messages doubled", Lasts: time.Second, Works: true, begin: queues(doubles), end: queues(delivers)},
	{Part: "queues", Name: "messages in any order", Lasts: time.Second, Works: true, begin: queues(shuffles), end: queues(delivers)},
	{Part: "queues", Name: "standing still for an hour of votes", Lasts: 1500 * time.Millisecond, Works: true, begin: queues(stands), end: queues(delivers),
		late: true, step: hours(1, true)},
	{Part: "queues", Name: "three days without the job of each minute, and messages lost", Lasts: 1500 * time.Millisecond, Works: true,
		begin: queues(drops), end: queues(delivers), late: true, step: hours(72, false)},
	{Part: "queues", Name: "standing still, and plaza verify --repair again and again", Shards: 3, Lasts: 2 * time.Second, Works: true,
		untilSent: true, begin: queues(stands), end: func(w *FaultySite) error {
			w.Queue.become(delivers)
			for _, row := range w.Sql.RowsOfAll("SELECT DISTINCT job FROM outbox") {
				w.pending = append(w.pending, row[0].(string))
			}
			return nil
		}, step: func(w *FaultySite) error {
			if w.steps++; thorough() || w.steps%4 == 0 { // it takes long
				w.Repair()
			}
			return nil
		}},
}

func clocks(d time.Duration) func(w *FaultySite) error {
	return func(w *FaultySite) error {
		w.clock.beside.Store(int64(d))
		return nil
	}
}

var timeFaults = []Fault{
	{Part: "clocks", Name: "the worker's an hour ahead of the database's", Lasts: time.Second, Works: true, late: true, begin: clocks(time.Hour)},
	{Part: "clocks", Name: "the worker's an hour behind the database's", Lasts: time.Second, Works: true, late: true, begin: clocks(-time.Hour)},
}

var shardFaults = []Fault{
	{Part: "one shard of three", Name: "down", Shards: 3, Lasts: 2 * time.Second, begin: onShard(stack.Fault{Kind: "refuse"}),
		end: onShard(stack.Fault{})},
	{Part: "one shard of three", Name: "takes requests and never answers", Shards: 3, Lasts: 3 * time.Second, begin: onShard(stack.Fault{Kind: "hole"}),
		end: onShard(stack.Fault{})},
	{Part: "one shard of three", Name: "answers lost after the commit", Shards: 3, Lasts: 2 * time.Second,
		begin: onShard(stack.Fault{Kind: "lose", Share: share}), end: onShard(stack.Fault{})},
}

// migration is a step of the schema as a later build brings it, while instances of this build write: columns, an index, a table that a
// trigger fills, and a change of all rows of a large table by pieces.
var migration = []schema.Step{
	{Name: "later columns", SQL: `ALTER TABLE posts ADD COLUMN later INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comments ADD COLUMN later INTEGER NOT NULL DEFAULT 0;
CREATE INDEX posts_later ON posts (later, id);
CREATE TABLE later_votes (target_id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT`},
	{Name: "fill later columns", Batch: schema.Batch{Table: "posts", Key: []string{"id"}, Rows: 5},
		SQL: `UPDATE posts SET later = 1 WHERE id BETWEEN :first_id AND :last_id`},
}

// laterTriggers are those of the later build.
const laterTriggers = `
CREATE TRIGGER votes_later AFTER INSERT ON votes BEGIN
  INSERT INTO later_votes (target_id, n) VALUES (new.target_id, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;`

// migrateAll takes the steps on every database, and replaces its triggers.
func migrateAll(w *FaultySite) error {
	for _, d := range w.Databases {
		client := hrana.New(hrana.Options{URL: d.URL, Token: d.Token})
		database, err := migrate.Open(w.Context(), client, append(schema.Steps(), migration...), plaza.Triggers+laterTriggers)
		if err != nil {
			return err
		}
		if err := database.Run(w.Context(), func(migrate.Progress) {}); err != nil {
			return err
		}
	}
	return nil
}

var buildFaults = []Fault{
	{Part: "two builds", Name: "a later build's steps of the schema, while this build writes", Lasts: time.Second, begin: migrateAll},
}
