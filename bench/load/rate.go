package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// runAtRate sends requests at a constant rate, whether or not earlier ones have responses, and waits for the last responses. The time of a
// request counts from when it was due, so slow responses do not hold back or hide later requests.
func runAtRate(j job, m *maker) result {
	client := &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var (
		mu    sync.Mutex
		times []time.Duration
		total = result{Responses: map[string]int{}}
		group sync.WaitGroup
	)
	count := int(j.Rate * j.Seconds)
	if j.Requests > 0 {
		count = min(count, j.Requests)
	}
	start := time.Now()
	for n := range count {
		due := start.Add(time.Duration(float64(n) / j.Rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		group.Go(func() {
			status, size, err := sendOne(client, m, n)
			took := time.Since(due)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				if total.Failures++; total.First == "" {
					total.First = err.Error()
				}
				return
			}
			total.Responses[status]++
			total.Bytes = max(total.Bytes, size)
			times = append(times, took)
		})
	}
	group.Wait()
	total.Requests = len(times)
	total.PerSecond = float64(len(times)) / time.Since(start).Seconds()
	total.setTimes(times)
	return total
}

// sendOne sends the nth request. It returns the status with X-Cache, and the length of the body.
func sendOne(client *http.Client, m *maker, n int) (status string, size int64, err error) {
	r, err := m.request(n)
	if err != nil {
		return "", 0, err
	}
	res, err := client.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer res.Body.Close()
	size, err = io.Copy(io.Discard, res.Body)
	status = fmt.Sprint(res.StatusCode)
	if cache := res.Header.Get("X-Cache"); cache != "" {
		status += " " + cache
	}
	return status, size, err
}
