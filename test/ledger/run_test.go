package ledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/stack"
	"plaza/test/stacktest"
)

// Fault is a part of the site that fails for a while.
type Fault struct {
	Name   string
	Part   string // of the site
	Shards int    // 0 is one
	// Works: nobody is refused anything meanwhile.
	Works bool
	Lasts time.Duration
	late  bool // hours pass meanwhile, for one of the clocks at least
	// untilSent: it lasts until all forms are sent, if that takes longer.
	untilSent bool
	// ready is called before anything is prepared.
	ready func(w *FaultySite) error
	// begin and end are called while acts are under way. step is called ten times in between.
	begin, end func(w *FaultySite) error
	step       func(w *FaultySite) error
	// open returns where each database lies, nil for folders of the test's own. It may skip the test.
	open func(t *testing.T) func(n int) string
	// responseLost: the site's own answers get lost on their way to the browser. twice: each form is sent twice in the same moment.
	responseLost, twice bool
}

// Row is what became of what was sent under a fault.
type Row struct {
	Fault        Fault
	Acknowledged int // forms, votes and comments
	Refused      int // answers that asked to try again
	Lost         int // acknowledged, or refused as carried out before, and not there
	Doubled      int // there more than once
	Wrong        int // there with other words than those that were sent, or refused although it was well
	Differences  int // that plaza verify finds
	Page         time.Duration
	Vote         time.Duration
	Comment      time.Duration
	Amiss        []string // each of these in words
	OnProxy      bool     // a fault was set on the way to a database or Redis that counts what meets it
	Met          int      // requests that met it, at least
}

// entry is a form in the ledger.
type entry struct {
	form
	name, token  string
	givesUp      bool // whoever sends it does not try again
	acknowledged bool
	ackLost      bool // an acknowledgement got lost on its way to the browser
	carriedOut   bool // it was refused again, because an earlier try was carried out
	refused      int
	conflict     string // why it was refused for good
}

// attempt sends the form until it is acknowledged. over: the fault is over.
func (e *entry) attempt(f Fault, over *atomic.Bool) {
	losesResponse, mayBeOut := f.responseLost, false // a try without an answer that says so may have ended the session
	for tries := 0; tries < 300; tries++ {
		before := e.by.Cookie
		res := e.sendBoth(f.twice && tries == 0)
		switch {
		case res.Code < 400 && losesResponse:
			losesResponse, e.ackLost, e.by.Cookie = false, true, before
			mayBeOut = true
		case res.Code < 400:
			e.acknowledged = true
			return
		case res.Code == http.StatusUnauthorized && e.logsInAgain && mayBeOut:
			for _, password := range []string{"correct horse", changedPassword} {
				e.by.Cookie = ""
				if e.by.Post("/login", "login", e.name, "password", password).Code == http.StatusSeeOther {
					mayBeOut = false
					break
				}
			}
			time.Sleep(100 * time.Millisecond)
		case res.Code >= 500 || res.Code == http.StatusTooManyRequests:
			e.refused++
			mayBeOut = true
			if e.givesUp && !over.Load() {
				return
			}
			time.Sleep(100 * time.Millisecond)
		case e.refusedAgain != "" && tries > 0:
			// A secret may be used up by a try that was answered with an error before the rest was done. No answer said success then,
			// and the member asks for another secret.
			e.acknowledged, e.carriedOut = e.ackLost, e.ackLost || e.refusedAgain != usedUp
			return
		default:
			e.conflict = fmt.Sprint("it was answered ", res.Code, " ", res.Body, " in try ", tries+1)
			return
		}
	}
	e.conflict = "it was never acknowledged"
}

// sendBoth sends the form, and with twice once more in the same moment. It returns the answer to the first, unless only the other was
// carried out.
func (e *entry) sendBoth(twice bool) *httptest.ResponseRecorder {
	if !twice {
		return e.send(e.token)
	}
	twin := *e
	twin.by = copyOf(e.by)
	responses := make(chan *httptest.ResponseRecorder)
	go func() { responses <- twin.send(e.token) }()
	res := e.send(e.token)
	other := <-responses
	if (e.refusedAgain != "" || e.logsInAgain) && res.Code >= 400 && res.Code < 500 {
		e.by.Cookie = twin.by.Cookie
		return other
	}
	return res
}

// judge adds an entry to a row.
func (r *Row) judge(e *entry) {
	amiss := func(n *int, what string, found []string) {
		*n++
		r.Amiss = append(r.Amiss, fmt.Sprintf("%s: %s %s: there is %q and should be %q", r.Fault.Name, e.Name, what, found, e.want))
	}
	if e.acknowledged {
		r.Acknowledged++
	}
	r.Refused += e.refused
	if e.conflict != "" {
		amiss(&r.Wrong, e.conflict, nil)
	}
	found := e.there()
	if e.want == "" {
		return
	}
	switch nothing := len(found) == 0 || len(found) == 1 && found[0] == e.was && e.was != e.want; {
	case len(found) > 1:
		amiss(&r.Doubled, "is there more than once", found)
	case nothing && (e.acknowledged || e.carriedOut):
		amiss(&r.Lost, "is lost", found)
	case !nothing && found[0] != e.want:
		amiss(&r.Wrong, "is wrong", found)
	}
}

// meet notes how many requests have met the faults of the proxies. One that refuses connections counts none.
func (r *Row) meet(w *FaultySite) {
	proxies := []*stack.FaultProxy{w.Redis}
	for _, d := range w.Databases {
		proxies = append(proxies, d.proxy)
	}
	for _, p := range proxies {
		counts := p.Counts()
		if kind := counts.Fault.Kind; kind != "" && kind != "pass" && kind != "refuse" {
			r.OnProxy, r.Met = true, max(r.Met, counts.Faulted)
		}
	}
}

// thorough tells whether faults last as long and meet as much as they can: by night, and for docs/faults.md.
func thorough() bool { return stacktest.Night() || os.Getenv("PLAZA_FAULTS") != "" }

// lasts is how long the fault lasts in this run: by day half as long, unless it has to outlast the time of a try to read.
func (f Fault) lasts() time.Duration {
	if f.Lasts > 2*time.Second || thorough() {
		return f.Lasts
	}
	return f.Lasts / 2
}

// senders is how many forms are sent at the same time.
const senders = 6

// Run performs acts while a part of the site fails, and returns what became of them. pick chooses acts of each round, by their number.
func Run(w *FaultySite, f Fault, rounds int, pick func(round, act int) bool) Row {
	w.Helper()
	row := Row{Fault: f}
	if f.ready != nil {
		require.NoError(w, f.ready(w))
	}
	entries := w.prepare(rounds, f.late, pick)
	load := w.newLoad()
	w.share(false)
	load.start()
	w.Cleanup(load.stop)
	consuming, stop := context.WithCancel(w.Context())
	var consumer sync.WaitGroup
	consumer.Go(func() { w.consume(consuming) })

	var over atomic.Bool
	queue := make(chan *entry)
	before := len(entries) / 4
	var sending sync.WaitGroup
	for range senders {
		sending.Go(func() {
			for e := range queue {
				e.attempt(f, &over)
			}
		})
	}
	lasts := f.lasts()
	feeding, ended := make(chan struct{}), make(chan struct{})
	sending.Go(func() {
		next := time.NewTicker(lasts / time.Duration(len(entries)-before))
		defer next.Stop()
		for n, e := range entries {
			if n == before {
				close(feeding)
			}
			if n >= before { // spread over the time that the fault lasts
				select {
				case <-next.C:
				case <-ended:
				}
			}
			queue <- e
		}
		close(queue)
	})
	<-feeding
	if f.begin != nil {
		require.NoError(w, f.begin(w))
	}
	tenth := time.NewTicker(lasts / 10)
	defer tenth.Stop()
	for range 10 {
		<-tenth.C
		row.meet(w)
		if f.step != nil {
			require.NoError(w, f.step(w))
		}
	}
	if f.untilSent {
		sending.Wait()
	}
	if f.end != nil {
		require.NoError(w, f.end(w))
	}
	over.Store(true)
	close(ended)
	sending.Wait()
	load.stop()
	stop()
	consumer.Wait()
	w.share(true)
	w.recover()
	w.expire()
	w.Instance()
	for _, e := range entries {
		row.judge(e)
	}
	load.judge(&row)
	for _, d := range w.Differences() {
		row.Differences++
		row.Amiss = append(row.Amiss, f.Name+": verify: "+d.String())
	}
	return row
}

// prepare prepares acts, without those whose time is over when they are late, each round on one shard after the other, in the order in
// which they are sent.
func (w *FaultySite) prepare(rounds int, late bool, pick func(round, act int) bool) (entries []*entry) {
	w.Helper()
	for n := range rounds {
		w.on(n % len(w.places))
		for i, act := range Acts() {
			if act.onePerRun && n > 0 || act.skippedWhenLate && late || !pick(n, i) {
				continue
			}
			name := fmt.Sprintf("n%d_%d", n, i)
			f := act.make(w, name)
			entries = append(entries, &entry{form: f, name: name, token: tokenOf(name, act.Name), givesUp: rand.IntN(4) == 0})
		}
	}
	w.drain()
	rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries
}

// drain delivers what waits, until there is nothing.
func (w *FaultySite) drain() {
	w.Helper()
	for range 100 {
		w.background.Wait()
		if w.deliver() == 0 {
			if w.Queue.empty() {
				return
			}
			time.Sleep(votesKept / 10)
		}
	}
	require.Fail(w, "the queues never get empty")
}

// recovery is how much time passes at least when a fault is over.
const recovery = time.Hour

// recover lets time pass, with the job of each minute and the queues, until no work is left but what is due weeks from now.
func (w *FaultySite) recover() {
	w.Helper()
	w.Queue.become(delivers)
	var failed error
	for n := range 60 {
		now := w.clock.pass(recovery / 6)
		failed = w.App.Scheduled(context.Background(), now)
		w.drain()
		if failed != nil {
			time.Sleep(100 * time.Millisecond) // a breaker has to find out that all is well
		}
		if n >= 6 && failed == nil && len(w.remaining()) == 0 {
			return
		}
	}
	require.Fail(w, "work is left", "%v %v", failed, w.remaining())
}

// expire has Redis forget what lives no longer than the time that has passed. Its own clock is the real one.
func (w *FaultySite) expire() {
	w.Helper()
	replies, err := w.clean.Pipeline(w.Context(), upstash.Cmd{"KEYS", "*"})
	require.NoError(w, err)
	keys, err := replies[0].Strings()
	require.NoError(w, err)
	for _, key := range keys {
		replies, err := w.clean.Pipeline(w.Context(), upstash.Cmd{"TTL", key})
		require.NoError(w, err)
		if life, err := replies[0].Int(); err == nil && life >= 0 && life <= int64(recovery/time.Second) {
			_, err = w.clean.Pipeline(w.Context(), upstash.Cmd{"DEL", key})
			require.NoError(w, err)
		}
	}
}

// remaining is the work that is due.
func (w *FaultySite) remaining() (rows [][]any) {
	w.Helper()
	return slices.Concat(
		w.Sql.RowsOfAll("SELECT job, subject_id, attempts FROM outbox WHERE due_at < ?1", w.clock.read().Add(24*time.Hour).UnixMilli()),
		w.Sql.RowsOfAll("SELECT 'vote', target_id, count(*) FROM vote_deltas GROUP BY target_id"),
		w.Sql.RowsOfAll("SELECT 'count', post_id, count(*) FROM count_deltas GROUP BY post_id"))
}
