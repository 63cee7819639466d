package worker

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/unfurl"
)

const (
	imageBytes = 4 << 20
	// Nobody is asked again so soon for a picture that could not be had, by one instance.
	imageRest        = time.Minute
	imagesRemembered = 1000
	// How many pictures an instance fetches at once, and how long others wait for that.
	imagesAtOnce = 8
	imagesOfHost = 2
	imageSlow    = 3 * time.Second
	imageWait    = 3 * time.Second
	imageLook    = 100 * time.Millisecond
)

var errNoImage = &data.Error{Code: data.NotFound, Message: "There is no picture here that could be shown."}

// imagePolicy keeps a picture that is opened by itself from being anything else.
const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// showImage passes on the picture of a post: of an image post its own, of a link post that
// of the page. Members' browsers ask nobody but this site. The edge keeps it for everybody
// (isPersonal in shim/cache.mjs), so the other server is asked about once an hour.
func (a *App) showImage(c *call) error {
	id, err := data.ParseID(c.r.PathValue("post"))
	// What is written otherwise would be another address in the cache, and fetched once more.
	if err != nil || strings.Contains(c.r.RequestURI, "?") || c.r.URL.EscapedPath() != "/img/"+id.Text() || a.restsImage(id) {
		return errNoImage
	}
	r := a.DB.Read()
	image := a.previews.FindImage(r, id)
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if image.Address == "" {
		return errNoImage
	}
	host := hostOf(image.Address)
	if a.restsHost(host) {
		return errNoImage
	}
	if err := a.beginImage(c, host); err != nil {
		return err
	}
	defer a.endImage(c)
	began := a.Source.Now()
	picture, kind, err := a.fetchImage(c.r.Context(), image.Address)
	if a.Source.Now().Sub(began) >= imageSlow {
		a.restHost(host)
	}
	if err != nil {
		a.restImage(id)
		return &data.Error{Code: data.NotFound, Message: errNoImage.Message, Err: err}
	}
	if image.Unmeasured {
		a.measure(c, id, image.Address, picture)
	}
	h := c.w.Header()
	h.Set("Content-Security-Policy", imagePolicy)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	return c.send(200, kind, picture)
}

// measure keeps how large a picture is that was fetched for the first time.
func (a *App) measure(c *call, id data.ID, address string, picture []byte) {
	width, height := unfurl.ImageSize(picture)
	if width == 0 {
		return
	}
	a.Background(c.r.Context(), func(ctx context.Context) {
		if err := a.previews.KeepImageSize(ctx, id, address, width, height); err != nil {
			a.Log.WarnContext(ctx, "size of a picture not kept", "request", c.id, "error", err)
		}
	})
}

// fetchImage reads a whole picture and tells its type. Every address on the way is checked.
func (a *App) fetchImage(ctx context.Context, address string) ([]byte, string, error) {
	s, _, err := a.follow(ctx, address, "image/avif,image/webp,image/png,image/jpeg,image/gif", imageBytes+1)
	if err == nil {
		err = s.refused()
	}
	if err != nil {
		return nil, "", err
	}
	kind := unfurl.ImageType(s.body)
	switch {
	case len(s.body) > imageBytes:
		return nil, "", &linkError{reason: "too large a picture", final: true}
	case kind == "":
		return nil, "", &linkError{reason: "no picture", final: true}
	}
	return s.body, kind, nil
}

var errImages = &data.Error{Code: data.Unavailable, Message: "Too many pictures are on their way right now. Please try again in a moment."}

// imageFetch is a picture that is being fetched.
type imageFetch struct {
	host  string
	began time.Time
}

// hostOf is the host of a picture's address, "" of one that can't be asked.
func hostOf(address string) string {
	u, err := unfurl.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// beginImage waits until few enough others fetch pictures: those that arrive slowly, or
// are asked for by many, must not fill the instance's memory. One host has a few of the
// places, so that the pictures of others arrive while it is slow. Each waits for itself.
func (a *App) beginImage(c *call, host string) error {
	for waited := time.Duration(0); !a.roomForImage(c.id, host); waited += imageLook {
		if a.Sleep == nil || waited >= imageWait {
			return errImages
		}
		if err := a.Sleep(c.r.Context(), imageLook); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) roomForImage(request, host string) bool {
	now := a.Source.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	same := 0
	for request, other := range a.fetching {
		switch {
		case now.Sub(other.began) > 2*lookTime: // the platform ended it
			delete(a.fetching, request)
		case other.host == host:
			same++
		}
	}
	if len(a.fetching) >= imagesAtOnce || same >= imagesOfHost {
		return false
	}
	a.fetching[request] = imageFetch{host, now}
	return true
}

func (a *App) endImage(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.fetching, c.id)
}

func (a *App) restsImage(id data.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Source.Now().Before(a.resting[id])
}

func (a *App) restImage(id data.ID) {
	until := a.Source.Now().Add(imageRest)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.resting) >= imagesRemembered {
		clear(a.resting)
	}
	a.resting[id] = until
}

func (a *App) restsHost(host string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Source.Now().Before(a.slow[host])
}

// restHost asks a host for no picture for a while: one that takes its time takes a place
// from others for as long.
func (a *App) restHost(host string) {
	until := a.Source.Now().Add(imageRest)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.slow) >= imagesRemembered {
		clear(a.slow)
	}
	a.slow[host] = until
}
