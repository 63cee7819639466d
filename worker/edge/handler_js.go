//go:build js && wasm && !stock

package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"syscall/js"
)

// handler answers the platform's requests with the site's answers.
type handler struct{ site http.Handler }

// ServeHTTP ignores what the library made of the event: the request is built from
// what the shim says, the answer goes back in one piece, and tasks left for later
// run before the event ends.
func (h handler) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNoContent)
	ctx, e, lines, err := takeEvent()
	if err != nil {
		slog.Error("edge: an event without a turn", "error", err)
		return
	}
	defer jsEnd.Invoke(e.turn)

	answer := newResponse()
	if r, err := newRequest(ctx, lines, takeBody()); err != nil {
		http.Error(answer, "That is not an address of this site.", http.StatusBadRequest)
	} else {
		answer = serve(h.site, r)
	}
	status, head, body := answer.finish()
	jsAnswer.Invoke(e.turn, status, head, toJS(body))
	e.runTasks(ctx)
}

// serve runs the handler; a panic costs this request alone.
func serve(h http.Handler, r *http.Request) (w *response) {
	w = newResponse()
	defer func() {
		if p := recover(); p != nil {
			logPanic(p, r.Method+" "+r.URL.Path)
			w = newResponse()
			w.header.Set("Cache-Control", "no-store")
			http.Error(w, "Something broke here. It is our fault, and it has been noted.", http.StatusInternalServerError)
		}
	}()
	h.ServeHTTP(w, r)
	return w
}

// takeBody copies the body of the request that has just entered.
func takeBody() []byte {
	array := jsBody.Invoke()
	if array.IsNull() {
		return nil
	}
	body := make([]byte, array.Get("byteLength").Int())
	js.CopyBytesToGo(body, array)
	return body
}

// background is the edge's worker.Background.
func background(ctx context.Context, task func(context.Context)) {
	e, err := eventOf(ctx)
	if err != nil {
		slog.Error("edge: a task of no event", "error", err)
		return
	}
	e.tasks = append(e.tasks, task)
}

// runTasks runs what was left for later, and what that leaves in turn.
func (e *event) runTasks(ctx context.Context) {
	for len(e.tasks) > 0 {
		task := e.tasks[0]
		e.tasks = e.tasks[1:]
		safely("a background task", func() { task(ctx) })
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
