package links

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"plaza/data"
	"plaza/protocol/unfurl"
)

const (
	pictureBytes = 4 << 20
	smallBytes   = 100 << 10 // of one beside a title
	// Limits for readers' browsers: a few kilobytes can decode to gigabytes of memory.
	pictureSide   = 16_384     // in pixels
	picturePixels = 40_000_000 // of all frames together
	// How long an instance does not fetch a picture again that it could not get.
	pictureBackoff     = time.Minute
	smallBackoff       = time.Hour // a picture that is too large to be a small one stays so
	picturesRemembered = 1000
	// How many pictures an instance fetches at once, and how long others wait for their turn.
	picturesAtOnce = 8
	picturesOfHost = 2
	pictureSlow    = 3 * time.Second
	pictureWait    = 3 * time.Second
	picturePoll    = 100 * time.Millisecond
)

// Pictures fetches the pictures of posts. An instance has one, which remembers the pictures and hosts that it skips for a while.
type Pictures struct {
	client *Client
	sleep  func(context.Context, time.Duration) error

	mu           sync.Mutex            // never held across I/O
	backoffUntil map[version]time.Time // until when a post's picture isn't fetched
	slow         map[string]time.Time  // until when no picture is fetched from a host
	fetching     map[string]fetch      // by request
}

// version is the picture of a post, whole or small.
type version struct {
	post  data.ID
	small bool
}

// fetch is a picture that is being fetched.
type fetch struct {
	host  string
	began time.Time
}

// NewPictures returns a Pictures. sleep waits within a request; if it is nil, a picture that would have to wait is ErrBusy.
func NewPictures(c *Client, sleep func(context.Context, time.Duration) error) *Pictures {
	return &Pictures{client: c, sleep: sleep, backoffUntil: map[version]time.Time{}, slow: map[string]time.Time{},
		fetching: map[string]fetch{}}
}

// ErrBusy is for a picture that is not fetched because too many others are.
var ErrBusy = errors.New("too many pictures are being fetched")

// ShouldSkip reports whether a post's picture, whole or small, could not be fetched a moment ago, and is not to be fetched now.
func (p *Pictures) ShouldSkip(post data.ID, small bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client.Now().Before(p.backoffUntil[version{post, small}])
}

// Fetch fetches the picture of a post. A small one is the picture as the edge transforms it (KeepSmallReply), or else the picture itself,
// if it has at most smallBytes. Every address on the way is checked. Fetch waits until few enough others are being fetched. The error is
// a Failure, ErrBusy, or that of sleeping.
func (p *Pictures) Fetch(ctx context.Context, request string, post data.ID, address string, small bool) (Picture, error) {
	host := hostOf(address)
	if p.hostBacksOff(host) {
		return Picture{}, &Failure{Reason: "its host was slow a moment ago"}
	}
	if err := p.begin(ctx, request, host); err != nil {
		return Picture{}, err
	}
	defer p.end(request)
	began := p.client.Now()
	picture, err := p.client.picture(ctx, address, small)
	if p.client.Now().Sub(began) >= pictureSlow {
		p.backOffHost(host)
	}
	if err != nil {
		p.backOff(version{post, small}, err)
	}
	return picture, err
}

// Title fetches the title of a page that a member is about to post, at most unfurl.TitleMax characters of it. It has the same limits
// and counts as one of the pictures. The error is a Failure, ErrBusy, or that of sleeping.
func (p *Pictures) Title(ctx context.Context, request, address string) (string, error) {
	host := hostOf(address)
	if p.hostBacksOff(host) {
		return "", &Failure{Reason: "its host was slow a moment ago"}
	}
	if err := p.begin(ctx, request, host); err != nil {
		return "", err
	}
	defer p.end(request)
	began := p.client.Now()
	page, err := p.client.fetchPage(ctx, address)
	if p.client.Now().Sub(began) >= pictureSlow {
		p.backOffHost(host)
	}
	return data.Line(page.Title), err
}

const tooLarge = "too large a picture"

// Picture is what another server has sent.
type Picture struct {
	Type          string
	Width, Height int    // in pixels, 0 if they can't be read
	Bytes         []byte // nil if the edge keeps the picture
}

// picture fetches a picture, or what the edge says about it.
func (c *Client) picture(ctx context.Context, address string, small bool) (Picture, error) {
	maxBytes := pictureBytes
	if ctx = KeepReply(ctx); small {
		ctx, maxBytes = KeepSmallReply(ctx), smallBytes
	}
	got, _, err := c.follow(ctx, address, "image/avif,image/webp,image/png,image/jpeg,image/gif", maxBytes+1)
	if err == nil {
		err = got.checkStatus()
	}
	if err != nil {
		return Picture{}, err
	}
	picture, pixels, length := got.picture()
	switch {
	case length > maxBytes:
		return Picture{}, &Failure{Reason: tooLarge, Final: true}
	case picture.Type == "":
		return Picture{}, &Failure{Reason: "no picture", Final: true}
	case pixels.Total <= 0:
		return Picture{}, &Failure{Reason: "a picture that does not tell its size", Final: true}
	case pixels.Side > pictureSide || pixels.Total > picturePixels:
		return Picture{}, &Failure{Reason: "a picture of too many pixels", Final: true}
	}
	return picture, nil
}

// picture returns the picture of a reply, and its length in bytes.
func (r reply) picture() (picture Picture, pixels unfurl.Pixels, length int) {
	if _, err := fmt.Sscan(r.kept, &picture.Type, &picture.Width, &picture.Height, &pixels.Total, &length); err == nil {
		pixels.Side = max(picture.Width, picture.Height)
		return picture, pixels, length
	}
	picture = Picture{Type: unfurl.ImageType(r.body), Bytes: r.body}
	picture.Width, picture.Height = unfurl.ImageSize(r.body)
	pixels, _ = unfurl.ImagePixels(r.body)
	return picture, pixels, len(r.body)
}

// hostOf returns the host of a picture's address; "" if the address is invalid.
func hostOf(address string) string {
	u, err := unfurl.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// begin waits for a place. There are few, because pictures that arrive slowly, or that many people request, must not fill
// the instance's memory. One host gets only some of them, so that a slow host does not keep pictures of others from
// being fetched. Each request waits with sleeps of its own.
func (p *Pictures) begin(ctx context.Context, request, host string) error {
	for waited := time.Duration(0); !p.tryBegin(request, host); waited += picturePoll {
		if p.sleep == nil || waited >= pictureWait {
			return ErrBusy
		}
		if err := p.sleep(ctx, picturePoll); err != nil {
			return err
		}
	}
	return nil
}

// tryBegin takes a place, if there is one.
func (p *Pictures) tryBegin(request, host string) bool {
	now := p.client.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	same := 0
	for request, other := range p.fetching {
		switch {
		case now.Sub(other.began) > 2*fetchTime: // the platform ended it
			delete(p.fetching, request)
		case other.host == host:
			same++
		}
	}
	if len(p.fetching) >= picturesAtOnce || same >= picturesOfHost {
		return false
	}
	p.fetching[request] = fetch{host, now}
	return true
}

// end releases the place.
func (p *Pictures) end(request string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.fetching, request)
}

// backOff keeps this instance from fetching a picture for a while after a failure.
func (p *Pictures) backOff(v version, err error) {
	until := p.client.Now().Add(pictureBackoff)
	var failure *Failure
	if v.small && errors.As(err, &failure) && failure.Reason == tooLarge {
		until = p.client.Now().Add(smallBackoff)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.backoffUntil) >= picturesRemembered {
		clear(p.backoffUntil)
	}
	p.backoffUntil[v] = until
}

func (p *Pictures) hostBacksOff(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client.Now().Before(p.slow[host])
}

// backOffHost keeps this instance from fetching pictures from a slow host for a while, because each of them would hold a
// place for long.
func (p *Pictures) backOffHost(host string) {
	until := p.client.Now().Add(pictureBackoff)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.slow) >= picturesRemembered {
		clear(p.slow)
	}
	p.slow[host] = until
}
