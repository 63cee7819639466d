// Package links fetches pages and pictures that posts link to from other servers. It decides which addresses it may fetch, and which hosts
// it skips for a while. Package unfurl checks addresses and reads pages.
//
// The idea: other servers are hostile or slow. Each request has bounds on time, bytes and redirects, and sends no cookie and no
// referrer. Few run at once. Pages of the site load nothing from elsewhere, so pictures are passed on (Pictures).
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

// Web sends requests to other people's servers. It must not follow redirects by itself nor keep cookies, and must
// respect deadline.Limit and ReplyLimit.
type Web interface {
	Do(*http.Request) (*http.Response, error)
}

// Client fetches links.
type Client struct {
	Web Web
	// Resolver is a DNS resolver over HTTPS that responds in JSON. With "" the site relies on Web to reach only public addresses.
	Resolver string
	SiteURL  string // for the User-Agent
	OwnHost  string // this site's, from which nothing is fetched
	Now      func() time.Time
}

const (
	fetchTime    = 5 * time.Second // for one link, with all redirects
	pageBytes    = 512 << 10       // of a page, which has its metadata at the beginning
	maxRedirects = 5
)

// Failure is the error of a link that could not be fetched.
type Failure struct {
	Reason string
	Final  bool // another try won't help
}

func (f *Failure) Error() string { return f.Reason }

// fetchPage fetches the page of a link and reads its metadata. Its errors are Failures.
func (c *Client) fetchPage(ctx context.Context, link string) (unfurl.Page, error) {
	got, address, err := c.follow(ctx, link, "text/html,application/xhtml+xml", pageBytes)
	if err != nil {
		return unfurl.Page{}, err
	}
	return got.page(address)
}

// follow fetches a link, and the addresses that it redirects to, within fetchTime for all. It checks every
// address before that. It returns the last reply and its address, or a Failure.
func (c *Client) follow(ctx context.Context, link, accept string, maxBytes int) (reply, unfurl.Address, error) {
	address, err := unfurl.Parse(link)
	began := c.Now()
	for hop := 0; ; hop++ {
		if err != nil {
			return reply{}, address, &Failure{Reason: err.Error(), Final: true}
		}
		if hop > maxRedirects {
			return reply{}, address, &Failure{Reason: "too many redirects", Final: true}
		}
		if address.Host == c.OwnHost {
			return reply{}, address, &Failure{Reason: "a page of this site", Final: true}
		}
		if err := c.resolvesToPublic(ctx, address, began); err != nil {
			return reply{}, address, err
		}
		got, errGet := c.get(ctx, address.URL, accept, began, maxBytes)
		if errGet != nil || got.location == "" {
			return got, address, errGet
		}
		address, err = address.Follow(got.location)
	}
}

// reply is another server's response.
type reply struct {
	status      int
	contentType string
	location    string // of a redirect
	body        []byte
	kept        string // the header KeptReply, if the edge keeps the picture
}

// get sends one GET, which reveals nothing about the site's readers, and reads at most maxBytes of the body. Its errors
// are Failures.
func (c *Client) get(ctx context.Context, url, accept string, began time.Time, maxBytes int) (reply, error) {
	remaining := fetchTime - c.Now().Sub(began)
	if remaining <= 0 {
		return reply{}, &Failure{Reason: "it took too long"}
	}
	ctx = WithReplyLimit(deadline.WithLimit(ctx, remaining), maxBytes)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return reply{}, &Failure{Reason: err.Error(), Final: true}
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "Mozilla/5.0 (compatible; Plaza; link previews; +"+c.SiteURL+")")
	res, err := c.Web.Do(r)
	if err != nil {
		return reply{}, &Failure{Reason: "no answer: " + err.Error()}
	}
	defer res.Body.Close()
	got := reply{status: res.StatusCode, contentType: res.Header.Get("Content-Type"), kept: res.Header.Get(KeptReply)}
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		got.location = res.Header.Get("Location")
		return got, nil
	}
	// The buffer has its full size from the start. A growing buffer would need several times as much memory.
	body := bytes.NewBuffer(make([]byte, 0, min(max(int(res.ContentLength), 0), maxBytes)+bytes.MinRead))
	if _, err := body.ReadFrom(io.LimitReader(res.Body, int64(maxBytes))); err != nil && body.Len() == 0 {
		return reply{}, &Failure{Reason: "no answer: " + err.Error()}
	}
	got.body = body.Bytes()
	return got, nil
}

// page reads the metadata of a page. Its errors are Failures.
func (r reply) page(from unfurl.Address) (unfurl.Page, error) {
	if err := r.checkStatus(); err != nil {
		return unfurl.Page{}, err
	}
	if !unfurl.IsPage(r.contentType) {
		return unfurl.Page{}, &Failure{Reason: "no web page", Final: true}
	}
	return unfurl.Read(r.contentType, r.body, from), nil
}

// checkStatus returns a Failure if the status is not one of success, else nil.
func (r reply) checkStatus() error {
	if r.status >= 200 && r.status < 300 {
		return nil
	}
	again := r.status >= 500 || r.status == http.StatusTooManyRequests || r.status == http.StatusRequestTimeout ||
		r.status == http.StatusTooEarly
	return &Failure{Reason: "status " + strconv.Itoa(r.status), Final: !again}
}
