//go:build js && wasm

package edge

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"syscall/js"
	"unsafe"

	"plaza/data/pace/deadline"
	"plaza/worker/edge/setup"
	"plaza/worker/request"
)

// handleRequests lets the site serve the platform's requests. It does not use workers.ServeNonBlock, which for each request
// makes a pipe, a promise, two headers and a response, and releases a callback.
func handleRequests(site setup.App) {
	bridge.Set("senderOf", js.FuncOf(func(_ js.Value, headers []js.Value) any {
		return site.SenderOf(headers[0].String(), headers[1].String())
	}))
	bridge.Set("request", js.FuncOf(func(js.Value, []js.Value) any {
		ctx, e, lines, err := takeEvent()
		if err != nil {
			slog.Error("edge: an event without a turn", "error", err)
			return nil
		}
		ctx = deadline.ForRequest(ctx)
		var body []byte
		if !hasNoBody(lines) {
			body = take(bodyOfTurn)
		}
		go handleRequest(site, ctx, e, lines, body)
		return nil
	}))
}

// handleRequest builds the request from the shim's lines, gives the response to the
// shim as a whole, and runs the background tasks before it ends the event.
func handleRequest(site http.Handler, ctx context.Context, e *event, lines string, received []byte) {
	growStack()
	var response *response
	if r, err := newRequest(ctx, lines, received); err != nil {
		response = newResponse()
		request.Secure(response.Header())
		http.Error(response, "That is not an address of this site.", http.StatusBadRequest)
	} else {
		response = serve(site, r)
	}
	status, head, body := response.finish()
	e.respond(ctx, status, head, body, response.release)
}

// growStack gives the goroutine at once the 16 KB of stack that pages with forms need. Without it, the stack begins with 2 KB, and the
// runtime doubles it each time that it is full. Each time it looks up all functions on the stack, which are many while a page is written.
//
//go:noinline
func growStack() {
	var room [12 << 10]byte
	runtime.KeepAlive(&room)
}

// serve runs the handler; a panic ends only this request.
func serve(h http.Handler, r *http.Request) (w *response) {
	w = newResponse()
	defer func() {
		if p := recover(); p != nil {
			logPanic(p, r.Method+" "+request.LoggedPath(r.URL.Path))
			w = newResponse()
			request.Secure(w.header)
			http.Error(w, "Something went wrong on our side. It has been noted.", http.StatusInternalServerError)
		}
	}()
	h.ServeHTTP(w, r)
	return w
}

// background is the edge's request.Background.
func background(ctx context.Context, task func(context.Context)) {
	e, err := eventOf(ctx)
	if err != nil {
		slog.Error("edge: a task without an event", "error", err)
		return
	}
	e.tasks = append(e.tasks, task)
}

// respond gives the event's result to the shim, which copies it. Then respond calls release, runs the background tasks, and ends the
// event.
func (e *event) respond(ctx context.Context, code int, lines string, body []byte, release func()) {
	last := len(e.tasks) == 0
	memoryRespond(int32(e.turn), int32(code), lines, unsafe.Pointer(unsafe.SliceData(body)), int32(len(body)), last)
	release()
	if !last {
		defer jsEnd.Invoke(e.turn)
		e.runTasks(ctx)
	}
}

// runTasks runs the background tasks, and those that they add.
func (e *event) runTasks(ctx context.Context) {
	for len(e.tasks) > 0 {
		task := e.tasks[0]
		e.tasks = e.tasks[1:]
		safely("a background task", func() { task(deadline.ForWork(ctx, deadline.Task)) })
	}
}

// safely runs fn and reports whether it ended without a panic.
func safely(what string, fn func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(p, what)
		}
	}()
	fn()
	return true
}

func logPanic(p any, where string) {
	if p == http.ErrAbortHandler {
		return
	}
	fmt.Fprintf(console{}, "panic in %s: %v\n%s", where, p, debug.Stack())
}
