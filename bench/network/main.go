// Command network is a proxy between the workers that are measured and everything that they call. It forwards requests to the database and
// to Redis, counts them, and can delay them as a network would. It also is the edge cache and the bucket of pictures, which workerd does
// not have by itself (cache.go, bucket.go).
//
// It prints the addresses where it listens as JSON. Then, for each command, a line of its input, it prints a line with the counts since
// the last command. It ends at the end of its input.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// command is a line of the input. It applies until the next command.
type command struct {
	DatabaseMS int  `json:"database_ms"` // delay of requests to the database
	RedisMS    int  `json:"redis_ms"`
	Count      bool `json:"count"`  // count rows and commands, which costs time
	Record     bool `json:"record"` // keep the requests, so that another worker can send the same
	Forget     bool `json:"forget"` // empty the edge cache
}

func main() {
	database := flag.String("database", "", "address of sqld")
	redis := flag.String("redis", "", "address of the Redis endpoint")
	flag.Parse()
	if err := run(*database, *redis); err != nil {
		fmt.Fprintln(os.Stderr, "network:", err)
		os.Exit(1)
	}
}

func run(database, redis string) error {
	d, err := url.Parse(database)
	if err != nil {
		return err
	}
	r, err := url.Parse(redis)
	if err != nil {
		return err
	}
	f := newForwarder(d, r)
	b, edge := &bucket{objects: map[string]object{}}, &cache{responses: map[string][]byte{}}
	addresses := map[string]string{}
	for name, handler := range map[string]http.Handler{"way": f, "cache": edge, "bucket": b} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		addresses[name] = listener.Addr().String()
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(listener) }()
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(addresses); err != nil {
		return err
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return err
		}
		if c.Forget {
			edge.empty()
		}
		passed := f.set(c)
		passed.Puts, passed.Gets = b.puts.Swap(0), b.gets.Swap(0)
		if err := out.Encode(passed); err != nil {
			return err
		}
	}
	return nil
}
