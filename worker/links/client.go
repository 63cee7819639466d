// Package links fetches pages and pictures that posts link to from other servers. It decides which addresses it may fetch, and which hosts
// it skips for a while. Package unfurl checks addresses and reads pages.
//
// The idea: other servers are hostile or slow. Each request has bounds on time, bytes, redirects and places, and sends no cookie and no
// referrer. Pages of the site load nothing from elsewhere, so pictures are passed on (Pictures).
//
// Begin with Client, Previews and Pictures. docs/inside/requests.md has the rules.
package links

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"plaza/data/pace/deadline"
	"plaza/protocol/unfurl"
)

// Web sends requests to other people's servers. It must not follow redirects by itself nor keep cookies, and has to
// keep to deadline.Limit and ReplyLimit.
type Web interface {
	Do(*http.Request) (*http.Response, error)
}

// Client asks for links.
type Client struct {
	Web Web
	// Resolver is a DNS resolver over HTTPS that answers in JSON; "" trusts Web to reach public addresses alone.
	Resolver string
	SiteURL  string // stands in the User-Agent
	OwnHost  string // this site's, which is never asked
	Now      func() time.Time
}

const (
	fetchTime    = 5 * time.Second // for one link, with all redirects
	pageBytes    = 512 << 10       // of a page, which says what it is at its beginning
	maxRedirects = 5
)

// Failure is why nothing came of asking for a link.
type Failure struct {
	Reason string
	Final  bool // asking again won't help
}

func (f *Failure) Error() string { return f.Reason }

// fetchPage fetches the page behind a link and reads what it says of itself. Its errors are Failures.
func (c *Client) fetchPage(ctx context.Context, link string) (unfurl.Page, error) {
	s, address, err := c.follow(ctx, link, "text/html,application/xhtml+xml", pageBytes)
	if err != nil {
		return unfurl.Page{}, err
	}
	return s.read(address)
}

// follow asks for a link, and for the addresses that it redirects to, within fetchTime for all. It checks every
// address before it asks. It returns the last answer and its address, or a Failure.
func (c *Client) follow(ctx context.Context, link, accept string, most int) (said, unfurl.Address, error) {
	address, err := unfurl.Parse(link)
	began := c.Now()
	for hop := 0; ; hop++ {
		if err != nil {
			return said{}, address, &Failure{Reason: err.Error(), Final: true}
		}
		if hop > maxRedirects {
			return said{}, address, &Failure{Reason: "too many redirects", Final: true}
		}
		if address.Host == c.OwnHost {
			return said{}, address, &Failure{Reason: "a page of this site", Final: true}
		}
		if err := c.resolvesToPublic(ctx, address, began); err != nil {
			return said{}, address, err
		}
		s, errAsk := c.ask(ctx, address.URL, accept, began, most)
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
	kept        string // what the edge says of a picture that it keeps
}

// ask sends one GET, which reveals nothing about the site's readers, and reads at most so many bytes of the answer. Its
// errors are Failures.
func (c *Client) ask(ctx context.Context, url, accept string, began time.Time, most int) (said, error) {
	remaining := fetchTime - c.Now().Sub(began)
	if remaining <= 0 {
		return said{}, &Failure{Reason: "it took too long"}
	}
	ctx = WithReplyLimit(deadline.WithLimit(ctx, remaining), most)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return said{}, &Failure{Reason: err.Error(), Final: true}
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "Mozilla/5.0 (compatible; Plaza; link previews; +"+c.SiteURL+")")
	res, err := c.Web.Do(r)
	if err != nil {
		return said{}, &Failure{Reason: "no answer: " + err.Error()}
	}
	defer res.Body.Close()
	s := said{status: res.StatusCode, contentType: res.Header.Get("Content-Type"), kept: res.Header.Get(KeptReply)}
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		s.location = res.Header.Get("Location")
		return s, nil
	}
	// The buffer has its full size from the start. One that grew would take several times as much memory.
	body := bytes.NewBuffer(make([]byte, 0, min(max(int(res.ContentLength), 0), most)+bytes.MinRead))
	if _, err := body.ReadFrom(io.LimitReader(res.Body, int64(most))); err != nil && body.Len() == 0 {
		return said{}, &Failure{Reason: "no answer: " + err.Error()}
	}
	s.body = body.Bytes()
	return s, nil
}

// read reads what an answer says of itself, if it is a page. Its errors are Failures.
func (s said) read(from unfurl.Address) (unfurl.Page, error) {
	if err := s.refused(); err != nil {
		return unfurl.Page{}, err
	}
	if !unfurl.IsPage(s.contentType) {
		return unfurl.Page{}, &Failure{Reason: "no web page", Final: true}
	}
	return unfurl.Read(s.contentType, s.body, from), nil
}

// refused returns a Failure if the status is not one of success, else nil.
func (s said) refused() error {
	if s.status >= 200 && s.status < 300 {
		return nil
	}
	again := s.status >= 500 || s.status == http.StatusTooManyRequests || s.status == http.StatusRequestTimeout ||
		s.status == http.StatusTooEarly
	return &Failure{Reason: "status " + strconv.Itoa(s.status), Final: !again}
}
