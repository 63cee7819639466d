package edge

import (
	"fmt"
	"time"

	"plaza/worker/queue"
)

// Limits of one call to a queue: 100 messages and 256 KB, of which the platform
// uses about 100 bytes for each message; one message may have 128 KB.
const (
	batchMessages = 100
	batchBytes    = 250_000
	messageBytes  = 127_000
	messageExtra  = 100
)

// batches splits messages into calls that the platform accepts.
func batches(bodies []string) ([][]string, error) {
	var all [][]string
	start, size := 0, 0
	for i, body := range bodies {
		n := len(body) + messageExtra
		if n > messageBytes {
			return nil, fmt.Errorf("message %d has %d bytes, more than a queue accepts", i, len(body))
		}
		if i-start == batchMessages || size+n > batchBytes {
			all = append(all, bodies[start:i])
			start, size = i, 0
		}
		size += n
	}
	if start < len(bodies) {
		all = append(all, bodies[start:])
	}
	return all, nil
}

// retryDelay returns how long a batch waits before it is delivered again: twice as
// long each time, from 2 seconds to a minute. Attempts counts deliveries so far.
func retryDelay(messages []queue.Message) time.Duration {
	attempts := 1
	for _, m := range messages {
		attempts = max(attempts, m.Attempts)
	}
	return min(time.Second<<min(attempts, 10), time.Minute)
}
