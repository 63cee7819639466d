package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plaza/data"
)

type loaded struct {
	Votes     int     `json:"votes"` // accepted
	Failures  int     `json:"failures"`
	First     string  `json:"first_failure,omitempty"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
}

// load votes on the first c.Posts posts from c.Connections connections, each with one request at a time and with members of its own. A
// member's next vote on a post always differs from the last one, so each vote changes something.
func (s *site) load(c command) loaded {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: c.Connections, DisableCompression: true}}
	var (
		mu    sync.Mutex
		total loaded
		times []time.Duration
		group sync.WaitGroup
	)
	start := time.Now()
	end := start.Add(time.Duration(c.Seconds * float64(time.Second)))
	for n := range c.Connections {
		group.Go(func() {
			var own []time.Duration
			for i := n; time.Now().Before(end); i += c.Connections {
				member := s.members[i%len(s.members)/c.Connections*c.Connections+n]
				b := vote{s.posts[rand.IntN(c.Posts)], member.UserID}
				mu.Lock()
				value := 1
				if s.cast[b] == 1 {
					value = -1
				}
				mu.Unlock()
				began := time.Now()
				err := post(client, c.URL, cookie(member), b.target, value)
				took := time.Since(began)
				mu.Lock()
				if err == nil {
					s.cast[b] = value
				} else {
					delete(s.cast, b) // it may be stored or not
					if total.Failures++; total.First == "" {
						total.First = err.Error()
					}
				}
				mu.Unlock()
				if err == nil {
					own = append(own, took)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
		})
	}
	group.Wait()
	client.CloseIdleConnections()
	total.Votes = len(times)
	total.PerSecond = float64(len(times)) / time.Since(start).Seconds()
	if len(times) > 0 {
		slices.Sort(times)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		total.P50, total.P99 = ms(times[len(times)/2]), ms(times[len(times)*99/100])
	}
	return total
}

func post(client *http.Client, site, cookie string, target data.ID, value int) error {
	form := url.Values{"target": {target.Text()}, "value": {strconv.Itoa(value)}}
	r, err := http.NewRequest(http.MethodPost, site+"/vote", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Cookie", cookie)
	res, err := client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.200s", res.StatusCode, body)
	}
	return err
}

// cookie returns the Cookie header of a member who has logged in (worker/request/session/session.go).
func cookie(a data.Actor) string {
	body := a.UserID.Text() + "." + a.SessionID.Text() + "." + strconv.FormatInt(a.IssuedAt.UnixMilli(), 36) + "." + a.Name
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte("session\x00" + body))
	return "__Host-session=" + body + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}
