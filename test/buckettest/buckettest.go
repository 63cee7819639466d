// Package buckettest is a bucket of pictures for tests of the tools. It is a small server that answers as the shim of the site does
// (worker/edge/shim/tools.mjs). If PLAZA_BUCKET has the address of a site, and PLAZA_BUCKET_TOKEN its secret, then it is the real bucket of
// that site, which it empties. e2e/edge/kept.test.mjs runs the same tests in this way.
package buckettest

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/ops/bucket"
	"plaza/protocol/unfurl"
)

// Token is the secret of the server.
const Token = "0123456789abcdef0123456789abcdef"

// Bucket is a bucket, and a client of it.
type Bucket struct {
	*bucket.Client
	URL   string
	Token string
	Fake  *Fake // nil: it is a real one
}

// Fake is what the server keeps.
type Fake struct {
	mu      sync.Mutex
	objects map[string]object // by key, such as p/SUM
	reads   int
}

type object struct {
	kind  string
	bytes []byte
	kept  time.Time
}

// Open is an empty bucket: the real one that the environment names, or a server of this process.
func Open(t testing.TB) *Bucket {
	t.Helper()
	url := os.Getenv("PLAZA_BUCKET")
	if url == "" {
		return OpenFake(t)
	}
	b := &Bucket{Client: bucket.New(url, os.Getenv("PLAZA_BUCKET_TOKEN")), URL: url, Token: os.Getenv("PLAZA_BUCKET_TOKEN")}
	b.Empty(t)
	return b
}

// OpenFake is a server of this process, whose bucket tests can damage.
func OpenFake(t testing.TB) *Bucket {
	t.Helper()
	f := &Fake{objects: map[string]object{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return &Bucket{Client: bucket.New(server.URL, Token), URL: server.URL, Token: Token, Fake: f}
}

// Empty deletes all there is.
func (b *Bucket) Empty(t testing.TB) {
	t.Helper()
	for sum := range b.Everything(t) {
		require.NoError(t, b.Delete(context.Background(), sum))
	}
}

// Everything lists all there is, by the sum. Times are left out.
func (b *Bucket) Everything(t testing.TB) map[string]bucket.Object {
	t.Helper()
	all := map[string]bucket.Object{}
	for after := ""; ; {
		list, err := b.List(context.Background(), after)
		require.NoError(t, err)
		for _, o := range list {
			after = o.Sum
			o.Kept, o.SmallKept = time.Time{}, time.Time{}
			all[o.Sum] = o
		}
		if len(list) == 0 {
			return all
		}
	}
}

// Plant puts an object into the bucket, whatever it is. kept is when that is said to have been.
func (f *Fake) Plant(sum string, small bool, kind string, picture []byte, kept time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[key(sum, small)] = object{kind, picture, kept}
}

// Remove takes one out.
func (f *Fake) Remove(sum string, small bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.objects, key(sum, small))
}

// Reads is how many objects were read; always 0 of a real bucket.
func (b *Bucket) Reads() int {
	if b.Fake == nil {
		return 0
	}
	b.Fake.mu.Lock()
	defer b.Fake.mu.Unlock()
	return b.Fake.reads
}

func key(sum string, small bool) string {
	if small {
		return "s/" + sum
	}
	return "p/" + sum
}

// PNG is a picture whose sum is another for each n. It has no metadata.
func PNG(n, width, height int) []byte {
	it := image.NewGray(image.Rect(0, 0, width, height))
	for i := range min(8, width) {
		it.SetGray(i, 0, color.Gray{Y: uint8(n >> (4 * i) & 15 * 16)})
	}
	var out bytes.Buffer
	_ = png.Encode(&out, it) // into memory
	return out.Bytes()
}

// ServeHTTP answers as the shim does.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rest, isTool := strings.CutPrefix(r.URL.Path, "/tools/pictures")
	if !isTool || r.Header.Get("Authorization") != "Bearer "+Token {
		http.NotFound(w, r)
		return
	}
	sum, isSmall := strings.CutSuffix(strings.TrimPrefix(rest, "/"), "/small")
	it, there := f.objects[key(sum, isSmall)]
	switch {
	case r.Method == http.MethodGet && rest == "":
		most, _ := strconv.Atoi(r.URL.Query().Get("most"))
		_ = json.NewEncoder(w).Encode(map[string]any{"pictures": f.list(r.URL.Query().Get("after"), most)})
	case r.Method == http.MethodGet && there:
		f.reads++
		w.Header().Set("Content-Type", it.kind)
		_, _ = w.Write(it.bytes)
	case r.Method == http.MethodGet:
		refuse(w, http.StatusNotFound, "not_found", "There is no such picture in the bucket.")
	case r.Method == http.MethodPut:
		f.put(w, r, sum, isSmall, there)
	case r.Method == http.MethodDelete:
		delete(f.objects, key(sum, true))
		if !isSmall {
			delete(f.objects, key(sum, false))
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

func (f *Fake) put(w http.ResponseWriter, r *http.Request, sum string, isSmall, there bool) {
	sent, err := io.ReadAll(r.Body)
	kind := unfurl.ImageType(sent)
	width, height := unfurl.ImageSize(sent)
	switch {
	case err != nil || kind == "" || width == 0:
		refuse(w, http.StatusUnprocessableEntity, "invalid", "These bytes are no picture without metadata: broken.")
	case isSmall && (len(sent) > 25<<10 || max(width, height) > 320):
		refuse(w, http.StatusUnprocessableEntity, "invalid", "A small version has 320 pixels and 25 KB at most.")
	case !isSmall && bucket.SumOf(sent) != sum:
		refuse(w, http.StatusUnprocessableEntity, "invalid", "The picture has another sum.")
	default:
		if !there {
			f.objects[key(sum, isSmall)] = object{kind, sent, time.Now()}
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

type listed struct {
	Sum       string `json:"sum"`
	Type      string `json:"type"`
	Bytes     int    `json:"bytes"`
	Kept      int64  `json:"kept"`
	Small     int    `json:"small"`
	SmallType string `json:"smallType"`
	SmallKept int64  `json:"smallKept"`
}

// list lists pages of three, so that tests see several.
func (f *Fake) list(after string, most int) []listed {
	bySum := map[string]listed{}
	for key, o := range f.objects {
		sum := key[2:]
		it := bySum[sum]
		it.Sum = sum
		if key[0] == 'p' {
			it.Type, it.Bytes, it.Kept = o.kind, len(o.bytes), o.kept.UnixMilli()
		} else {
			it.SmallType, it.Small, it.SmallKept = o.kind, len(o.bytes), o.kept.UnixMilli()
		}
		bySum[sum] = it
	}
	list := []listed{}
	for sum, it := range bySum {
		if sum > after {
			list = append(list, it)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Sum < list[j].Sum })
	if most < 1 || most > 3 {
		most = 3
	}
	return list[:min(len(list), most)]
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"code": code, "message": message}})
}
