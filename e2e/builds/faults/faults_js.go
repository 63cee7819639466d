//go:build js && wasm

// Command faults is a build of the worker for tests, and never deployed. It misbehaves on demand, under /__test/, for e2e/edge. With the
// variable PLAZA_DOOMED it is the site, whose instances die on demand, for e2e/faults. With PLAZA_HASTY it asks for random bytes as it
// starts, which ends the start in the global scope.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall/js"
	"time"
	"unsafe"

	"plaza/data/pace/deadline"
	"plaza/worker/edge"
	"plaza/worker/edge/setup"
	"plaza/worker/links"
	"plaza/worker/pictures"
	"plaza/worker/queue"
)

// bridge has the functions of the shim, which shows them while the program initialises and at no other time.
var bridge = js.Global().Get("context").Get("plaza")

func main() { edge.Run(newApp) }

func newApp(env setup.Environment) (setup.App, error) {
	if env.Getenv("PLAZA_HASTY") != "" {
		_, _ = rand.Read(make([]byte, 16))
	}
	if env.Getenv("PLAZA_DOOMED") != "" {
		return newDoomedSite(env)
	}
	f := &faults{Environment: env, mux: http.NewServeMux()}
	f.routes()
	return f, nil
}

type faults struct {
	setup.Environment
	mux *http.ServeMux

	mu       sync.Mutex
	seen     []string // what queues and cron brought
	counter  int
	hijacked chan struct{}
	closed   string // places to which the site is closed, in the form that worker/request/place.go sends; "" says nothing
}

// SenderOf takes every session and token for one of the site's, except those that say that they are forged.
func (f *faults) SenderOf(cookies, authorization string) string {
	if strings.Contains(cookies, "forged") {
		return ""
	}
	return cookies + authorization
}

// ServeHTTP answers as the site does where it is closed.
func (f *faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.closed != "" {
		w.Header().Set("X-Plaza-Closed", f.closed)
	}
	place := r.Header.Get("X-Plaza-Place")
	if country, _, _ := strings.Cut(place, "-"); place != "" && r.URL.Path != "/__test/close" &&
		(slices.Contains(strings.Fields(f.closed), place) || slices.Contains(strings.Fields(f.closed), country)) {
		w.WriteHeader(http.StatusUnavailableForLegalReasons)
		fmt.Fprint(w, place)
		return
	}
	f.mux.ServeHTTP(w, r)
}

func (f *faults) routes() {
	get := func(ctx context.Context, url string) (string, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return "", err
		}
		res, err := f.Client.Do(r)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		return string(body), err
	}
	handle := func(path string, h http.HandlerFunc) { f.mux.HandleFunc("/__test/"+path, h) }

	// slow asks the upstream n times, one after the other, and answers with all it said. It has the time that a busy machine takes.
	handle("slow", func(w http.ResponseWriter, r *http.Request) {
		ctx := deadline.WithLimit(r.Context(), time.Minute)
		q := r.URL.Query()
		var n int
		fmt.Sscan(q.Get("n"), &n)
		for i := range n {
			body, err := get(ctx, fmt.Sprintf("%s&step=%d", q.Get("url"), i))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			fmt.Fprintln(w, body)
		}
	})
	// parallel does so at once, in goroutines.
	handle("parallel", func(w http.ResponseWriter, r *http.Request) {
		var group sync.WaitGroup
		said := make([]string, 4)
		for i := range said {
			group.Go(func() {
				body, err := get(r.Context(), fmt.Sprintf("%s&step=%d", r.URL.Query().Get("url"), i))
				said[i] = fmt.Sprint(body, err)
			})
		}
		group.Wait()
		fmt.Fprint(w, strings.Join(said, "\n"))
	})
	// close makes the site closed to some places from now on.
	handle("close", func(w http.ResponseWriter, r *http.Request) {
		f.closed = r.URL.Query().Get("to")
		w.Header().Set("X-Plaza-Closed", f.closed)
	})
	handle("panic", func(http.ResponseWriter, *http.Request) { panic("secret-of-the-inside") })
	handle("exit", func(http.ResponseWriter, *http.Request) { os.Exit(3) })
	trap := func() {
		address := uintptr(0xfffffff0)
		*(*int64)(*(*unsafe.Pointer)(unsafe.Pointer(&address))) = 1
	}
	handle("trap", func(http.ResponseWriter, *http.Request) { trap() })
	handle("late-trap", func(_ http.ResponseWriter, r *http.Request) {
		_ = f.Sleep(r.Context(), 10*time.Millisecond)
		trap()
	})
	// throw lets an import throw: reading a property of a revoked proxy.
	handle("throw", func(http.ResponseWriter, *http.Request) {
		pair := js.Global().Get("Proxy").Call("revocable", map[string]any{}, map[string]any{})
		pair.Call("revoke")
		pair.Get("proxy").Get("anything")
	})
	handle("goroutine-panic", func(_ http.ResponseWriter, r *http.Request) {
		go panic("nobody recovers this")
		_ = f.Sleep(r.Context(), time.Second)
	})
	handle("stuck", func(http.ResponseWriter, *http.Request) { select {} })
	handle("sleep", func(w http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.URL.Query().Get("d"))
		fmt.Fprint(w, f.Sleep(r.Context(), d))
	})
	handle("timer", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(30 * time.Millisecond)
		fmt.Fprint(w, "woken")
	})
	handle("limit", func(w http.ResponseWriter, r *http.Request) {
		_, err := get(deadline.WithLimit(r.Context(), 100*time.Millisecond), r.URL.Query().Get("url"))
		t, ok := err.(interface{ Timeout() bool })
		fmt.Fprint(w, ok && t.Timeout(), " ", err)
	})

	handle("cut", func(w http.ResponseWriter, r *http.Request) {
		body, err := get(links.WithReplyLimit(r.Context(), 100_000), r.URL.Query().Get("url"))
		fmt.Fprint(w, len(body), " ", err)
	})

	// victim waits for a lock across I/O, thief wakes it from the thief's own event.
	handle("victim", func(w http.ResponseWriter, r *http.Request) {
		f.hijacked = make(chan struct{})
		<-f.hijacked
		_, err := get(r.Context(), r.URL.Query().Get("url"))
		fmt.Fprint(w, err)
	})
	handle("thief", func(w http.ResponseWriter, _ *http.Request) {
		close(f.hijacked)
		fmt.Fprint(w, "released")
	})

	handle("start", showStart)
	handle("hello", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	handle("echo", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		writeJSON(w, map[string]any{
			"method": r.Method, "url": r.URL.String(), "host": r.Host, "header": r.Header, "body": string(body),
			"remote": r.RemoteAddr, "length": r.ContentLength, "error": fmt.Sprint(err),
		})
	})
	handle("cookies", func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"a", "b"} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: "1", Path: "/", Expires: time.Unix(1800000000, 0)})
		}
		w.Header().Set("X-Evil", "1\r\nSet-Cookie: c=1")
		fmt.Fprint(w, "set")
	})
	handle("status", func(w http.ResponseWriter, r *http.Request) {
		var code int
		fmt.Sscan(r.URL.Query().Get("code"), &code)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(code)
		fmt.Fprint(w, "body")
	})
	// cache answers with the Cache-Control asked for and a number that grows.
	handle("cache", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		f.counter++
		w.Header().Set("Cache-Control", q.Get("control"))
		if q.Has("cookie") {
			w.Header().Set("Set-Cookie", "x=1")
		}
		code := http.StatusOK
		if q.Has("code") {
			fmt.Sscan(q.Get("code"), &code)
		}
		if q.Has("fail") && q.Get("fail") != "" {
			switch said, _ := get(r.Context(), q.Get("fail")); {
			case said == "down":
				code = http.StatusServiceUnavailable
			case said == "refuse" && r.Header.Get("X-Plaza-Renewal") == "":
				code = http.StatusTooManyRequests
			}
		}
		if q.Has("html") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			w.WriteHeader(code)
			fmt.Fprintf(w, `<!doctype html><title>x</title><main id="main">%d %s</main>`, f.counter, r.Header.Get("Cookie"))
			return
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, "%d %s %s", f.counter, r.Header.Get("Accept"), r.Header.Get("Cookie"))
	})
	f.mux.HandleFunc("/img/", func(w http.ResponseWriter, r *http.Request) {
		f.counter++
		w.Header().Set("Cache-Control", "public, s-maxage=60")
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprintf(w, "%d %q", f.counter, r.Header.Get("Cookie"))
	})
	// pictures keeps what came with a form, unless told not to; drop and list are the bucket's.
	f.mux.HandleFunc("POST /submit", func(w http.ResponseWriter, r *http.Request) {
		received := pictures.FromRequest(r)
		body, _ := io.ReadAll(r.Body)
		kept := []string{}
		for _, p := range received {
			if p.Problem == "" && !strings.Contains(string(body), "keep=no") {
				kept = append(kept, fmt.Sprint(f.Pictures.Keep(r.Context(), p)))
			}
		}
		writeJSON(w, map[string]any{"received": received, "kept": kept, "header": r.Header, "body": string(body)})
	})
	// passed passes on a picture of another server, as links.Client does.
	handle("passed", func(w http.ResponseWriter, r *http.Request) {
		ctx := links.KeepReply(links.WithReplyLimit(r.Context(), 4<<20+1))
		if r.URL.Query().Has("small") {
			ctx = links.KeepSmallReply(links.WithReplyLimit(r.Context(), 100<<10+1))
		}
		asked, _ := http.NewRequestWithContext(ctx, http.MethodGet, r.URL.Query().Get("url"), nil)
		res, err := f.Client.Do(asked)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("X-Kept", res.Header.Get(links.KeptReply))
		body, _ := io.ReadAll(res.Body)
		if len(body) == 0 {
			w.Header().Set(links.KeptBody, "kept")
			w.Header().Set("Content-Type", "image/x")
		}
		_, _ = w.Write(body)
	})
	handle("keep", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, f.Pictures.Keep(r.Context(), pictures.Received{}))
	})
	handle("drop", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, f.Pictures.Drop(r.Context(), r.URL.Query()["sum"]...))
	})
	handle("list", func(w http.ResponseWriter, r *http.Request) {
		list, err := f.Pictures.List(r.Context(), r.URL.Query().Get("after"), 3)
		writeJSON(w, map[string]any{"list": list, "error": fmt.Sprint(err), "bound": f.Pictures.Bound()})
	})
	handle("background", func(w http.ResponseWriter, r *http.Request) {
		url := r.URL.Query().Get("url")
		f.Background(r.Context(), func(ctx context.Context) { _, _ = get(ctx, url) })
		f.Background(r.Context(), func(context.Context) { panic("in the background") })
		fmt.Fprint(w, "first")
	})
	handle("send", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, f.Queue.Send(r.Context(), r.URL.Query().Get("queue"), r.URL.Query()["body"]...))
	})
	handle("seen", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		writeJSON(w, f.seen)
	})
	handle("stats", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("gc") {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		var shim map[string]any
		_ = json.Unmarshal([]byte(bridge.Call("stats").String()), &shim)
		writeJSON(w, map[string]any{
			"heap": m.HeapAlloc, "objects": m.HeapObjects, "goroutines": runtime.NumGoroutine(), "waiting": edge.Waiting(), "shim": shim,
		})
	})
}

// Consume notes what it was given; a body says what becomes of it.
func (f *faults) Consume(_ context.Context, name string, messages []queue.Message) (retry []int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, m := range messages {
		f.seen = append(f.seen, fmt.Sprintf("%s %s %d", name, m.Body, m.Attempts))
		switch {
		case strings.HasPrefix(m.Body, "again") && m.Attempts < 2:
			retry = append(retry, i)
		case strings.HasPrefix(m.Body, "panic") && m.Attempts < 2:
			panic(m.Body)
		}
	}
	return retry, nil
}

func (f *faults) Scheduled(_ context.Context, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, "cron "+at.Format(time.RFC3339))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
