package worker_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// device is a browser that keeps every cookie and talks to any instance.
type device struct {
	*workertest.Browser
	cookies map[string]string
}

// on sends a request to an instance and returns the answer with the libSQL requests it cost.
func (d *device) on(s *workertest.Site, r *http.Request) (*httptest.ResponseRecorder, int64) {
	d.Helper()
	for name, value := range d.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	ctx, meter := hrana.WithMeter(r.Context())
	w := httptest.NewRecorder()
	s.App.ServeHTTP(w, r.WithContext(ctx))
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(d.cookies, c.Name)
		} else {
			d.cookies[c.Name] = c.Value
		}
	}
	return w, meter.Requests()
}

func (d *device) see(s *workertest.Site, path string) (page string, requests int64) {
	d.Helper()
	w, requests := d.on(s, httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil))
	require.Equal(d, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String(), requests
}

// act sends a form to an instance.
func (d *device) act(s *workertest.Site, path, form string) {
	d.Helper()
	r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(form))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w, _ := d.on(s, r)
	require.Equal(d, http.StatusSeeOther, w.Code, w.Body.String())
}

// TestMarkerOfWhatIsForAll: an instance remembers listings and communities for all members. That doesn't hide from a member what they have
// just made or changed on another instance.
func TestMarkerOfWhatIsForAll(t *testing.T) {
	here := workertest.MustOpen(t)
	there := workertest.OpenSite(t, here.Sql, here.Redis, 100)
	ann := here.Member("ann")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	ann.MustPost("/c/gophers/submit", "title", "One", "text", "text")
	phone := &device{ann, map[string]string{"__Host-session": ann.Cookie}}
	fillCache := func() {
		for _, path := range []string{"/new", "/c/gophers/new", "/u/ann"} {
			phone.see(there, path)
		}
		delete(phone.cookies, "__Host-changed") // it runs out
		phone.see(there, "/c/gophers/new")
		_, requests := phone.see(there, "/c/gophers/new")
		require.Zero(t, requests)
	}
	fillCache()
	phone.act(here, "/c/gophers/submit", "title=Another+one&text=text")
	for _, path := range []string{"/new", "/c/gophers/new", "/u/ann"} {
		page, _ := phone.see(there, path)
		require.Contains(t, page, "Another one", path)
	}
	there.Now = there.Now.Add(2 * time.Second)
	here.Now = there.Now
	fillCache()
	id := workertest.Targets(phone.Page("/c/gophers/p/another-one"))[0]
	phone.act(here, "/delete", "target="+id)
	for _, path := range []string{"/new", "/c/gophers/new", "/u/ann"} {
		page, _ := phone.see(there, path)
		require.NotContains(t, page, "Another one", path)
	}
}

// TestMarker: an instance remembers what pages show of a member's own. That never hides what the member has just done, on whichever
// instance.
func TestMarker(t *testing.T) {
	t.Parallel()
	here := workertest.MustOpen(t)
	there := workertest.OpenSite(t, here.Sql, here.Redis, 100) // another instance of the same site
	ann := here.Member("ann")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	ann.MustPost("/c/gophers/submit", "title", "One", "text", "text")
	here.Deliver()
	ben := here.Member("ben")
	phone := &device{ben, map[string]string{"__Host-session": ben.Cookie}}
	desk := &device{ben, map[string]string{"__Host-session": ben.Cookie}}
	const path, lit = "/c/gophers/new", `value="0" aria-pressed="true"`

	vote := func(d *device, s *workertest.Site, target, value string) {
		d.act(s, "/vote", "target="+target+"&value="+value)
	}
	page, _ := phone.see(there, path)
	require.NotContains(t, page, lit)
	target := workertest.Targets(page)[0]
	phone.see(there, path) // fills what was kept for all
	page, requests := phone.see(there, path)
	require.NotContains(t, page, lit)
	require.Zero(t, requests, "a cached page asks nothing")

	vote(phone, here, target, "1") // the other instance does not hear of it
	require.NotEmpty(t, phone.cookies["__Host-changed"])
	page, _ = phone.see(there, path)
	require.Contains(t, page, lit, "own vote at once, in the instance that kept the old state")
	page, _ = desk.see(there, path)
	require.Contains(t, page, lit, "the other device came after the phone and without a marker")

	vote(desk, here, target, "0")
	delete(desk.cookies, "__Host-changed") // a client that keeps no cookies but the session
	page, _ = desk.see(here, path)
	require.NotContains(t, page, lit, "the instance that took the change needs no marker")
	there.Now = there.Now.Add(data.MemberCacheTTL + time.Second)
	page, _ = phone.see(there, path)
	require.NotContains(t, page, lit, "nothing is kept for longer than MemberCacheTTL")
}

// TestVoteKeepsLists: after a vote or a save, a member's next page has the new state, on whichever instance, and its list is not read again.
// A new post makes the list be read again, also if a vote follows it.
func TestVoteKeepsLists(t *testing.T) {
	t.Parallel()
	here := workertest.MustOpen(t)
	there := workertest.OpenSite(t, here.Sql, here.Redis, 100)
	ann, ben := here.Member("ann"), here.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	for i := range 12 {
		ann.MustPost("/c/gophers/submit", "title", "Post "+strconv.Itoa(i), "text", "text")
	}
	here.Deliver()
	phone := &device{ben, map[string]string{"__Host-session": ben.Cookie}}
	const path, lit = "/c/gophers/new", `value="0" aria-pressed="true"`
	page, _ := phone.see(there, path)
	target := workertest.Targets(page)[0]
	rows := func() (page string, rows int64) {
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
		ctx, meter := hrana.WithMeter(r.Context())
		w, _ := phone.on(there, r.WithContext(ctx))
		return w.Body.String(), meter.RowsRead()
	}
	const saved = `/save?target=%s" name="on" value="0"`
	phone.act(here, "/vote", "target="+target+"&value=1")
	page, _ = rows()
	require.Contains(t, page, lit)
	phone.act(here, "/save", "target="+target+"&on=1")
	page, voted := rows()
	require.Contains(t, page, fmt.Sprintf(saved, target))
	phone.act(here, "/c/gophers/submit", "title=Of+ben&text=text")
	page, posted := rows()
	require.Contains(t, page, "Of ben")
	require.LessOrEqual(t, voted, posted, "rows read after a save, and after a post")
	phone.act(here, "/vote", "target="+target+"&value=0")
	page, _ = rows()
	require.Contains(t, page, "Of ben", "the vote does not hide that ben has posted")
}
