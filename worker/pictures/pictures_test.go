package pictures_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/worker/pictures"
)

func TestOfAndAttach(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/pictures", nil)
	if got := pictures.FromRequest(r); got != nil {
		t.Fatalf("a request without pictures has %v", got)
	}
	r.Header.Set(pictures.Header, "{")
	if got := pictures.FromRequest(r); got != nil {
		t.Fatalf("broken JSON has %v", got)
	}
	sent := []pictures.Received{
		{Index: 0, Field: "picture", Name: "cat\n\"ü\".png", Type: "image/png", Width: 3, Height: 2, Frames: 1, Bytes: 90,
			Sum: strings.Repeat("0a", 32), Small: true},
		{Index: 1, Field: "picture", Name: "x.svg", Problem: pictures.Kind},
	}
	pictures.Attach(r, sent...)
	got := pictures.FromRequest(r)
	if len(got) != 2 || got[0] != sent[0] || got[1] != sent[1] {
		t.Errorf("got %+v, want %+v", got, sent)
	}
}

func TestMemoryListsInOrder(t *testing.T) {
	ctx := context.Background()
	m := pictures.NewMemory()
	for _, letter := range []string{"c", "a", "b"} {
		if err := m.Keep(ctx, pictures.Received{Sum: strings.Repeat(letter, 64), Bytes: 5}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Keep(ctx, pictures.Received{Sum: strings.Repeat("d", 64), Problem: pictures.Broken}); err == nil {
		t.Error("a broken picture was kept")
	}
	if err := m.Drop(ctx, strings.Repeat("b", 64), "unknown"); err != nil {
		t.Fatal(err)
	}
	var seen string
	for after, more := "", true; more; {
		list, err := m.List(ctx, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			after = o.Sum
			seen += o.Sum[:1]
			if o.Bytes != 5 || time.Since(o.Kept) > time.Minute {
				t.Errorf("object %+v", o)
			}
		}
		more = len(list) > 0
	}
	if seen != "ac" {
		t.Errorf("listed %q, want ac", seen)
	}
}
