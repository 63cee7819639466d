//go:build js && wasm

package edge

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/syumai/workers/cloudflare"

	"plaza/worker/pictures"
)

// bucket stores pictures through the shim (shim/bucket.mjs), which has their bytes.
type bucket struct{ bound bool }

// newBucket returns the bucket. It is bound if the environment has the binding PICTURES at the start.
func newBucket() bucket { return bucket{bound: cloudflare.GetBinding("PICTURES").Truthy()} }

func (b bucket) Bound() bool { return b.bound }

// Keep stores a picture of the context's request. It can't do so after the response.
func (b bucket) Keep(ctx context.Context, r pictures.Received) error {
	if _, err := call(ctx, jsKeep, r.Index, r.Small); err != nil {
		return fmt.Errorf("keeping a picture: %w", err)
	}
	return nil
}

func (b bucket) Drop(ctx context.Context, sums ...string) error {
	if len(sums) == 0 {
		return nil
	}
	args := make([]any, len(sums))
	for i, sum := range sums {
		args[i] = sum
	}
	if _, err := call(ctx, jsDrop, args...); err != nil {
		return fmt.Errorf("deleting pictures: %w", err)
	}
	return nil
}

func (b bucket) List(ctx context.Context, after string, limit int) ([]pictures.Object, error) {
	r, err := call(ctx, jsList, after, limit)
	if err != nil {
		return nil, fmt.Errorf("listing pictures: %w", err)
	}
	lines := strings.Split(r.lines, "\n")
	list := make([]pictures.Object, 0, len(lines)/3)
	for ; len(lines) >= 3; lines = lines[3:] {
		bytes, _ := strconv.ParseInt(lines[1], 10, 64)
		kept, _ := strconv.ParseInt(lines[2], 10, 64)
		list = append(list, pictures.Object{Sum: lines[0], Bytes: bytes, Kept: time.UnixMilli(kept)})
	}
	return list, nil
}
