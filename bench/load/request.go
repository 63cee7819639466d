package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pictureCount is how many pictures are created before the first upload. Later uploads repeat
// them, and the site does not write a picture again that the bucket already has.
const pictureCount = 40

// maker creates the requests of a job.
type maker struct {
	job      job
	pictures [][]byte

	mu   sync.Mutex
	cast map[[2]int]int // by cookie and target: the last vote
}

func newMaker(j job) (*maker, error) {
	m := &maker{job: j, cast: map[[2]int]int{}}
	if j.Kind == "upload" {
		for range pictureCount {
			picture, err := photo(700, 500)
			if err != nil {
				return nil, err
			}
			m.pictures = append(m.pictures, picture)
		}
	}
	return m, nil
}

// request returns the nth request.
func (m *maker) request(n int) (*http.Request, error) {
	j := m.job
	cookie := ""
	who := 0
	if len(j.Cookies) > 0 {
		who = n % len(j.Cookies)
		cookie = j.Cookies[who]
	}
	if j.Fresh || j.Voted {
		// The time of the change is in the future, and another in each request, so all cached data is older.
		changed := strconv.FormatInt(time.Now().Add(time.Minute).UnixMilli()+int64(n), 36)
		cookie += "; __Host-changed=" + changed
		if j.Fresh {
			cookie += "-" + changed
		}
	}
	var r *http.Request
	var err error
	form := func(path string, values url.Values) {
		if r, err = http.NewRequest(http.MethodPost, j.URL+path, strings.NewReader(values.Encode())); err == nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	switch j.Kind {
	case "get":
		r, err = http.NewRequest(http.MethodGet, j.URL+j.Paths[n%len(j.Paths)], nil)
	case "vote":
		target := n / max(len(j.Cookies), 1) % len(j.Targets)
		form("/vote", url.Values{"target": {j.Targets[target]}, "value": {strconv.Itoa(m.vote(who, target))}})
	case "comment":
		text := fmt.Sprintf("Comment %d, with a few words about it: %d.", n, rand.Int64())
		form("/comment", url.Values{"post": {j.Targets[n%len(j.Targets)]}, "body": {text}})
	case "upload":
		r, err = m.upload(n)
	default:
		return nil, fmt.Errorf("there are no requests of the kind %q", j.Kind)
	}
	if err != nil {
		return nil, err
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	if j.Networks > 0 {
		network := j.Networks + n
		r.Header.Set("X-Real-Ip", fmt.Sprintf("10.%d.%d.7", network/256%256, network%256))
	}
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Cf-Ray", "8f00000000000000-FRA") // as the platform does; without it, workers draw an id
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r, nil
}

// vote returns another value than the last vote had, so that each vote changes something.
func (m *maker) vote(who, target int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	value := 1
	if m.cast[[2]int{who, target}] == 1 {
		value = -1
	}
	m.cast[[2]int{who, target}] = value
	return value
}

func (m *maker) upload(n int) (*http.Request, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, field := range [][2]string{{"community", m.job.Community}, {"title", fmt.Sprintf("A picture %d of %d", n, rand.Int64())}} {
		if err := w.WriteField(field[0], field[1]); err != nil {
			return nil, err
		}
	}
	part, err := w.CreateFormFile("pictures", "photo.jpg")
	if err != nil {
		return nil, err
	}
	_, _ = part.Write(m.pictures[n%len(m.pictures)])
	if err := w.Close(); err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, m.job.URL+"/submit", io.Reader(&body))
	if err == nil {
		r.Header.Set("Content-Type", w.FormDataContentType())
	}
	return r, err
}

// photo returns a picture that differs from all others. Its noise makes the file as long as that of a photograph.
func photo(width, height int) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := rand.Uint32()
			picture.SetRGBA(x, y, color.RGBA{R: uint8(v), G: uint8(v >> 8), B: uint8(v >> 16), A: 255})
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: 80})
	return b.Bytes(), err
}
