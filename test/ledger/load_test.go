package ledger

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"plaza/test/workertest"
)

// load is what people do all the time, while forms are sent. It finds how long they wait.
type load struct {
	w       *FaultySite
	pauses  time.Duration // between what one person does
	over    chan struct{}
	end     sync.Once
	all     sync.WaitGroup
	mu      sync.Mutex
	page    time.Duration
	vote    time.Duration
	comment time.Duration
	refused int

	starts    []func()
	castVotes []*castVote
	comments  []*entry
}

// castVote is one voter's vote on one post, which changes again and again.
type castVote struct {
	by       *workertest.Browser
	user, id int64
	target   string
	said     string // the value that was acknowledged last
	asked    string // a later one that was refused; "" none
	times    int    // acknowledged
}

// newLoad prepares what people do: reading, voting and commenting.
func (w *FaultySite) newLoad() *load {
	w.Helper()
	l := &load{w: w, pauses: 120 * time.Millisecond, over: make(chan struct{})}
	if thorough() {
		l.pauses = 20 * time.Millisecond
	}
	var posts, addresses []string
	ids := map[string]int64{}
	for _, place := range w.places {
		w.place = place
		for n := range 3 {
			text, id := w.post(w.ann, fmt.Sprint("Discussed ", place, " ", n))
			posts, ids[text] = append(posts, text), id
			addresses = append(addresses, fmt.Sprint("/c/", place, "/p/discussed-", place, "-", n))
		}
		addresses = append(addresses, "/c/"+place, "/c/"+place+"/new")
	}
	addresses = append(addresses, "/", "/new")
	for n := range 2 {
		b := w.Visitor()
		if n == 1 {
			b = w.Member("reader")
		}
		l.starts = append(l.starts, func() { l.read(b, addresses) })
	}
	for n := range 2 {
		name := fmt.Sprint("voter", n)
		b := w.Member(name)
		var own []*castVote
		for _, target := range posts {
			own = append(own, &castVote{by: b, user: w.userID(name), target: target, id: ids[target]})
		}
		l.castVotes = append(l.castVotes, own...)
		l.starts = append(l.starts, func() { l.votes(own) })
	}
	b := w.Member("talker")
	l.starts = append(l.starts, func() { l.talk(b, posts) })
	return l
}

func (l *load) start() {
	for _, one := range l.starts {
		l.all.Go(one)
	}
}

func (l *load) stop() {
	l.end.Do(func() { close(l.over) })
	l.all.Wait()
}

// waited keeps the longest time, and counts answers that asked to try again.
func (l *load) waited(longest *time.Duration, began time.Time, code int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*longest = max(*longest, time.Since(began))
	if code >= 500 {
		l.refused++
	}
}

// goes waits until a person does the next thing. It is false when nobody does anything more.
func (l *load) goes() bool {
	select {
	case <-time.After(l.pauses):
		return true
	case <-l.over:
		return false
	}
}

func (l *load) read(b *workertest.Browser, addresses []string) {
	for n := 0; l.goes(); n++ {
		began := time.Now()
		res := b.Get(addresses[n%len(addresses)])
		l.waited(&l.page, began, res.Code)
	}
}

func (l *load) votes(castVotes []*castVote) {
	for n := 0; l.goes(); n++ {
		v := castVotes[n%len(castVotes)]
		v.asked = []string{"1", "-1", "0"}[n/len(castVotes)%3]
		f := form{by: v.by, path: "/vote", fields: []string{"target", v.target, "value", v.asked}}
		began := time.Now()
		res := f.send("")
		l.waited(&l.vote, began, res.Code)
		if res.Code == http.StatusOK {
			v.said, v.asked = v.asked, ""
			v.times++
		}
	}
}

func (l *load) talk(b *workertest.Browser, posts []string) {
	for n := 0; l.goes(); n++ {
		body := fmt.Sprint("Said ", n)
		e := &entry{form: form{Act: Act{Name: "comment", want: "0 1"}, by: b, path: "/comment", fields: []string{"post", posts[n%len(posts)],
			"body", body}, there: l.w.rows(strings.ReplaceAll(commented, "{name}", body))}, token: tokenOf(body)}
		l.comments = append(l.comments, e)
		for tries := 0; !e.acknowledged && (tries == 0 || l.goes()); tries++ {
			began := time.Now()
			res := e.send(e.token)
			l.waited(&l.comment, began, res.Code)
			if e.acknowledged = res.Code == http.StatusOK; !e.acknowledged && res.Code < 500 {
				e.conflict = fmt.Sprint("it was answered ", res.Code, " ", res.Body, " in try ", tries+1)
				break
			}
		}
	}
}

// judge adds what people did to a row.
func (l *load) judge(row *Row) {
	row.Page, row.Vote, row.Comment = l.page, l.vote, l.comment
	row.Refused += l.refused
	for _, e := range l.comments {
		row.judge(e)
	}
	for _, v := range l.castVotes {
		found := l.w.rows("SELECT value FROM votes WHERE target_id = ?1 AND user_id = ?2", v.id, v.user)()
		row.Acknowledged += v.times
		amiss := func(n *int, what string) {
			*n++
			row.Amiss = append(row.Amiss, fmt.Sprintf("%s: vote on %s %s: there is %q, %q was acknowledged last, and %q asked for", row.Fault.Name,
				v.target, what, found, v.said, v.asked))
		}
		switch {
		case len(found) > 1:
			amiss(&row.Doubled, "is there more than once")
		case len(found) == 0 && v.said == "0": // who has no vote and takes it back leaves none
		case len(found) == 0 && v.times > 0:
			amiss(&row.Lost, "is lost")
		case len(found) == 1 && found[0] != v.said && found[0] != v.asked:
			amiss(&row.Wrong, "is wrong")
		}
	}
}
