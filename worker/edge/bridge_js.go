//go:build js && wasm

package edge

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"syscall/js"
	"time"
)

// The functions of shim/io.mjs, made for this instance. The shim exposes them only
// while the program initialises.
var (
	bridge     = js.Global().Get("context").Get("plaza")
	jsMessages = bridge.Get("messages")
	jsSleep    = bridge.Get("sleep")
	jsSend     = bridge.Get("send")
	jsKeep     = bridge.Get("keep")
	jsDrop     = bridge.Get("drop")
	jsList     = bridge.Get("list")
	jsPoint    = bridge.Get("point")
	jsEnd      = bridge.Get("end")
)

// errTurn is in the error of an operation that was started outside its event's turn, and therefore refused. It means that a
// lock, channel or timer has woken the goroutine of one request within the event of another.
var errTurn = errors.New("edge: not this event's turn")

type eventKey struct{}

// event is one request, queue batch or cron tick.
type event struct {
	turn  int
	tasks []func(context.Context)
}

// eventOf returns the event that the context belongs to.
func eventOf(ctx context.Context) (*event, error) {
	if e, ok := ctx.Value(eventKey{}).(*event); ok {
		return e, nil
	}
	return nil, fmt.Errorf("%w: the context belongs to no event", errTurn)
}

// takeEvent returns the context of the event that has just entered, and what the shim says about the event: for a request,
// the lines that shim/head.mjs makes.
func takeEvent() (context.Context, *event, string, error) {
	first, rest, _ := strings.Cut(takeText(headOfTurn), "\n")
	turn, err := strconv.Atoi(first)
	e := &event{turn: turn}
	return context.WithValue(context.Background(), eventKey{}, e), e, rest, err
}

// reply is the result of an operation.
type reply struct {
	code  int
	lines string
	body  string
}

// operations waiting for their reply. One js.Func serves all of them, and is never
// released, so that none can leak. The lock is never held while anything waits.
var operations = struct {
	sync.Mutex
	last    int
	waiting map[int]chan reply
}{waiting: make(map[int]chan reply)}

func init() {
	bridge.Set("resume", js.FuncOf(func(js.Value, []js.Value) any {
		finish(takeReply())
		return nil
	}))
}

// finish wakes the goroutine that waits for an operation.
func finish(op int, r reply) {
	operations.Lock()
	ch := operations.waiting[op]
	delete(operations.waiting, op)
	operations.Unlock()
	if ch != nil {
		ch <- r
	}
}

// Waiting returns the number of operations that wait for their reply. Tests check with it that none is lost.
func Waiting() int {
	operations.Lock()
	defer operations.Unlock()
	return len(operations.waiting)
}

// call starts an operation of the shim in the context's event and waits for it.
func call(ctx context.Context, function js.Value, args ...any) (reply, error) {
	return operate(ctx, func(turn, op int) (refused string) {
		if why := function.Invoke(append([]any{turn, op}, args...)...); why.Type() == js.TypeString {
			return why.String()
		}
		return ""
	})
}

// operate starts an operation and waits for it. start returns why it was refused; "" if it was not.
func operate(ctx context.Context, start func(turn, op int) (refused string)) (reply, error) {
	e, err := eventOf(ctx)
	if err != nil {
		return reply{}, err
	}
	ch := make(chan reply, 1)
	operations.Lock()
	operations.last++
	op := operations.last
	operations.waiting[op] = ch
	operations.Unlock()
	if refused := start(e.turn, op); refused != "" {
		operations.Lock()
		delete(operations.waiting, op)
		operations.Unlock()
		return reply{}, fmt.Errorf("%w: %s", errTurn, refused)
	}
	r := <-ch
	switch r.code {
	case -2:
		return r, timeout(r.lines)
	case -1:
		return r, errors.New(r.lines)
	}
	return r, nil
}

// timeout is the error of an operation whose time limit has passed.
type timeout string

func (t timeout) Error() string { return "time limit exceeded: " + string(t) }
func (timeout) Timeout() bool   { return true }

// sleep waits d within the context's event.
func sleep(ctx context.Context, d time.Duration) error {
	_, err := call(ctx, jsSleep, max(d.Milliseconds(), 0))
	return err
}

// console writes lines to the platform's log.
type console struct{}

func (console) Write(p []byte) (int, error) {
	js.Global().Get("console").Call("error", string(p))
	return len(p), nil
}
