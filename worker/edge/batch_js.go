//go:build js && wasm

package edge

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/syumai/workers/cloudflare/queues"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/worker/edge/setup"
	"plaza/worker/queue"
)

// bindings names the queues' bindings, as in wrangler.toml.
var bindings = map[string]string{
	data.QueueVotes:  "VOTES",
	data.QueueEvents: "EVENTS",
}

// producer sends messages through the bindings of wrangler.toml.
type producer struct{}

// sendLimit bounds the time of one call to a queue. The retry job sends again what did not arrive.
const sendLimit = 2 * time.Second

// Send returns once the platform has accepted all messages.
func (producer) Send(ctx context.Context, name string, bodies ...string) error {
	binding, ok := bindings[name]
	if !ok {
		return fmt.Errorf("edge: no queue is called %q", name)
	}
	all, err := batches(bodies)
	if err != nil {
		return err
	}
	var delay time.Duration
	if name == data.QueueVotes {
		delay = queue.VotesDelay
	}
	for _, batch := range all {
		limit := deadline.Remaining(ctx, sendLimit)
		if limit <= 0 {
			return fmt.Errorf("queue %s: %w", name, deadline.Late{})
		}
		args := make([]any, 0, 3+len(batch))
		args = append(args, limit.Milliseconds(), int(delay/time.Second), binding)
		for _, body := range batch {
			args = append(args, body)
		}
		if _, err := call(ctx, jsSend, args...); err != nil {
			return fmt.Errorf("queue %s: %w", name, err)
		}
	}
	return nil
}

// consumer passes the platform's batches to the site. The library's own batch is
// empty; the messages come through the shim, which acknowledges each by itself.
func consumer(site setup.App) queues.Consumer {
	return func(*queues.MessageBatch) error {
		ctx, e, name, err := takeEvent()
		if err != nil {
			return err
		}
		ctx = deadline.ForWork(ctx, deadline.Batch)
		messages := takeMessages()
		again := everyIndex(len(messages))
		safely("the consumer of "+name, func() {
			retry, err := site.Consume(ctx, name, messages)
			if err != nil {
				slog.Error("queue", "queue", name, "messages", len(messages), "error", err)
				return
			}
			again = retry
		})
		e.respond(ctx, int(retryDelay(messages)/time.Second), joinInts(again), nil, func() {})
		return nil
	}
}

func takeMessages() []queue.Message {
	array := jsMessages.Invoke()
	messages := make([]queue.Message, array.Length())
	for i := range messages {
		m := array.Index(i)
		messages[i] = queue.Message{ID: m.Get("id").String(), Body: m.Get("body").String(), Attempts: m.Get("attempts").Int()}
		if ms := m.Get("sentAt").Int(); ms > 0 {
			messages[i].SentAt = time.UnixMilli(int64(ms))
		}
	}
	return messages
}

func everyIndex(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func joinInts(list []int) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// scheduler runs the site's cron jobs. It never returns an error: the library
// would panic with it.
func scheduler(site setup.App) func(context.Context) error {
	return func(context.Context) error {
		ctx, e, at, err := takeEvent()
		if err != nil {
			slog.Error("edge: a cron tick without a turn", "error", err)
			return nil
		}
		ctx = deadline.ForWork(ctx, deadline.Batch)
		ms, _ := strconv.ParseInt(at, 10, 64)
		safely("cron", func() { site.Scheduled(ctx, time.UnixMilli(ms).UTC()) })
		e.respond(ctx, 0, "", nil, func() {})
		return nil
	}
}
