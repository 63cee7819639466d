// Command load keeps a number of connections busy with requests of one kind, or sends them at a constant rate (rate.go). It reads the job
// from its input, as JSON, and prints the result. bench/report starts it for each round of a measurement.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// job says what to send. Connections take cookies, paths and targets by turns.
type job struct {
	URL         string   `json:"url"`
	Kind        string   `json:"kind"`  // get, vote, comment or upload
	Paths       []string `json:"paths"` // for get
	Targets     []string `json:"targets"`
	Community   string   `json:"community"` // for upload
	Cookies     []string `json:"cookies"`   // Cookie headers; empty for a visitor
	Fresh       bool     `json:"fresh"`     // as if each member had just posted something, so that instances use no cached data
	Voted       bool     `json:"voted"`     // as if each member had just voted, so that instances read the member's own state anew
	Connections int      `json:"connections"`
	Seconds     float64  `json:"seconds"`
	Requests    int      `json:"requests"` // ends earlier after this number, if not 0
	Rate        float64  `json:"rate"`     // requests a second, instead of busy connections, if not 0
	Networks    int      `json:"networks"` // if not 0, each request has another network, from this number on
}

type result struct {
	Requests  int     `json:"requests"`
	Failures  int     `json:"failures"` // no response, or another status than 200 or 303
	First     string  `json:"first_failure,omitempty"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Bytes     int64   `json:"bytes"` // of the longest body of a response
	// Responses counts the responses of runAtRate by status and X-Cache, such as "200 HIT".
	Responses map[string]int `json:"responses,omitempty"`
}

func main() {
	var j job
	err := json.NewDecoder(os.Stdin).Decode(&j)
	if err == nil && (j.URL == "" || j.Connections < 1) {
		err = fmt.Errorf("a job needs an address and connections")
	}
	var m *maker
	if err == nil {
		m, err = newMaker(j)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
	send := run
	if j.Rate > 0 {
		send = runAtRate
	}
	_ = json.NewEncoder(os.Stdout).Encode(send(j, m))
}

// run sends requests until the job is over, and waits for the last responses.
func run(j job, m *maker) result {
	client := &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{MaxIdleConnsPerHost: j.Connections, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var (
		mu    sync.Mutex
		times []time.Duration
		total result
		group sync.WaitGroup
		sent  atomic.Int64
	)
	start := time.Now()
	end := start.Add(time.Duration(j.Seconds * float64(time.Second)))
	for range j.Connections {
		group.Go(func() {
			var own []time.Duration
			for time.Now().Before(end) {
				n := sent.Add(1) - 1
				if j.Requests > 0 && n >= int64(j.Requests) {
					break
				}
				r, err := m.request(int(n))
				began := time.Now()
				var size int64
				if err == nil {
					size, err = send(client, r)
				}
				took := time.Since(began)
				if err == nil {
					own = append(own, took)
				}
				mu.Lock()
				if err != nil {
					if total.Failures++; total.First == "" {
						total.First = err.Error()
					}
				}
				total.Bytes = max(total.Bytes, size)
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
		})
	}
	group.Wait()
	total.Requests = len(times)
	total.PerSecond = float64(len(times)) / time.Since(start).Seconds()
	total.setTimes(times)
	return total
}

func (r *result) setTimes(times []time.Duration) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	r.P50, r.P99 = ms(times[len(times)/2]), ms(times[len(times)*99/100])
}

// send sends a request, and returns the length of the response.
func send(client *http.Client, r *http.Request) (int64, error) {
	res, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusSeeOther {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		return 0, fmt.Errorf("%s %s: status %d: %s", r.Method, r.URL.Path, res.StatusCode, text)
	}
	return io.Copy(io.Discard, res.Body)
}
