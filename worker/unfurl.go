package worker

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"plaza/data/wait"
	"plaza/unfurl"
)

// Web sends requests to other people's servers. It must not follow redirects by itself,
// nor keep cookies, and holds to wait.Limit and ReplyLimit.
type Web interface {
	Do(*http.Request) (*http.Response, error)
}

const (
	lookTime      = 5 * time.Second // for one link, with all redirects
	lookBytes     = 512 << 10       // of a page: what it says of itself stands at its beginning
	lookRedirects = 5
)

// linkError is why nothing is known of a link. final means that asking again won't help.
type linkError struct {
	reason string
	final  bool
}

func (e *linkError) Error() string { return e.reason }

// lookAt fetches the page behind a link and reads what it says of itself. Its errors are of
// linkError.
func (a *App) lookAt(ctx context.Context, link string) (unfurl.Page, error) {
	s, address, err := a.follow(ctx, link, "text/html,application/xhtml+xml", lookBytes)
	if err != nil {
		return unfurl.Page{}, err
	}
	return s.read(address)
}

// follow asks for a link and for where it redirects to, in lookTime together. Every address
// on the way is checked before it is asked.
func (a *App) follow(ctx context.Context, link, accept string, most int) (said, unfurl.Address, error) {
	address, err := unfurl.Parse(link)
	began := a.Source.Now()
	for hop := 0; ; hop++ {
		if err != nil {
			return said{}, address, &linkError{reason: err.Error(), final: true}
		}
		if hop > lookRedirects {
			return said{}, address, &linkError{reason: "too many redirects", final: true}
		}
		if address.Host == a.ownHost {
			return said{}, address, &linkError{reason: "a page of this site", final: true}
		}
		if err := a.leadsToPublic(ctx, address, began); err != nil {
			return said{}, address, err
		}
		s, errAsk := a.ask(ctx, address.URL, accept, began, most)
		if errAsk != nil || s.location == "" {
			return s, address, errAsk
		}
		address, err = address.Follow(s.location)
	}
}

// said is another server's answer.
type said struct {
	status      int
	contentType string
	location    string // where a redirect leads
	body        []byte
}

// ask sends one GET with nothing in it that tells of who reads the site, and reads at most
// so many bytes of the answer.
func (a *App) ask(ctx context.Context, url, accept string, began time.Time, most int) (said, error) {
	left := lookTime - a.Source.Now().Sub(began)
	if left <= 0 {
		return said{}, &linkError{reason: "it took too long"}
	}
	ctx = WithReplyLimit(wait.WithLimit(ctx, left), most)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return said{}, &linkError{reason: err.Error(), final: true}
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "Mozilla/5.0 (compatible; Plaza; link previews; +"+a.SiteURL+")")
	res, err := a.Web.Do(r)
	if err != nil {
		return said{}, &linkError{reason: "no answer: " + err.Error()}
	}
	defer res.Body.Close()
	s := said{status: res.StatusCode, contentType: res.Header.Get("Content-Type")}
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		s.location = res.Header.Get("Location")
		return s, nil
	}
	// At once as large as it will be: a picture that grows takes its size several times.
	body := bytes.NewBuffer(make([]byte, 0, min(max(int(res.ContentLength), 0), most)+bytes.MinRead))
	if _, err := body.ReadFrom(io.LimitReader(res.Body, int64(most))); err != nil && body.Len() == 0 {
		return said{}, &linkError{reason: "no answer: " + err.Error()}
	}
	s.body = body.Bytes()
	return s, nil
}

func (s said) read(from unfurl.Address) (unfurl.Page, error) {
	if err := s.refused(); err != nil {
		return unfurl.Page{}, err
	}
	if !unfurl.IsPage(s.contentType) {
		return unfurl.Page{}, &linkError{reason: "no web page", final: true}
	}
	return unfurl.Read(s.contentType, s.body, from), nil
}

// refused tells an answer that is none.
func (s said) refused() error {
	if s.status >= 200 && s.status < 300 {
		return nil
	}
	again := s.status >= 500 || s.status == http.StatusTooManyRequests || s.status == http.StatusRequestTimeout || s.status == http.StatusTooEarly
	return &linkError{reason: "status " + strconv.Itoa(s.status), final: !again}
}
