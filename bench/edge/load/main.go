// Command load keeps a number of connections busy with one GET for a while and
// prints what came of it as JSON. bench/edge starts it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

type result struct {
	Requests  int     `json:"requests"`
	Failures  int     `json:"failures"` // no answer, or another status than 200
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Bytes     int64   `json:"bytes"` // of one answer's body
}

func main() {
	url := flag.String("url", "", "what to get")
	cookies := flag.String("cookie", "", "Cookie headers to send, a line each: connections take them by turns")
	connections := flag.Int("c", 32, "connections, each with one request at a time")
	duration := flag.Duration("d", 3*time.Second, "how long")
	flag.Parse()
	if *url == "" {
		fmt.Fprintln(os.Stderr, "load: -url is missing")
		os.Exit(2)
	}
	_ = json.NewEncoder(os.Stdout).Encode(run(*url, strings.Split(*cookies, "\n"), *connections, *duration))
}

// run sends requests until the duration is over and waits for the last answers.
func run(url string, cookies []string, connections int, duration time.Duration) result {
	client := &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var (
		mu    sync.Mutex
		times []time.Duration
		total result
		group sync.WaitGroup
	)
	start := time.Now()
	for i := range connections {
		cookie := cookies[i%len(cookies)]
		group.Go(func() {
			var own []time.Duration
			failures, size := 0, int64(0)
			for time.Since(start) < duration {
				began := time.Now()
				n, err := get(client, url, cookie)
				if err != nil {
					failures++
					continue
				}
				size = n
				own = append(own, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
			total.Failures += failures
			total.Bytes = max(total.Bytes, size)
		})
	}
	group.Wait()
	total.Requests = len(times)
	total.PerSecond = float64(len(times)) / time.Since(start).Seconds()
	if len(times) > 0 {
		slices.Sort(times)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		total.P50, total.P99 = ms(times[len(times)/2]), ms(times[len(times)*99/100])
	}
	return total
}

func get(client *http.Client, url, cookie string) (int64, error) {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	return n, err
}
