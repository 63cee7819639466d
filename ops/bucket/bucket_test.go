package bucket_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/bucket"
	"plaza/test/buckettest"
)

var ctx = context.Background()

// TestBucket is the contract of tools and bucket. e2e/edge/kept.test.mjs runs it against the real one.
func TestBucket(t *testing.T) {
	b := buckettest.Open(t)
	list, err := b.List(ctx, "")
	require.NoError(t, err)
	require.Empty(t, list)
	small := buckettest.PNG(99, 30, 20)
	sums := map[string][]byte{}
	for n := range 7 {
		picture := buckettest.PNG(n, 60, 40)
		sums[bucket.SumOf(picture)] = picture
		require.NoError(t, b.Write(ctx, bucket.SumOf(picture), false, picture))
	}
	require.Len(t, sums, 7)
	first, _ := b.List(ctx, "")
	one := first[0].Sum
	require.NoError(t, b.Write(ctx, one, true, small))
	require.NoError(t, b.Write(ctx, one, true, buckettest.PNG(98, 30, 20)), "the first one stays")
	lost := strings.Repeat("f", 64)
	require.NoError(t, b.Write(ctx, lost, true, small))

	all := b.Everything(t)
	require.Len(t, all, 8)
	for sum, picture := range sums {
		o := all[sum]
		require.Equal(t, [2]any{"image/png", int64(len(picture))}, [2]any{o.Type, o.Bytes})
		read, kind, err := b.Read(ctx, sum, false)
		require.NoError(t, err)
		require.Equal(t, "image/png", kind)
		require.Equal(t, picture, read)
	}
	require.Equal(t, bucket.Object{Sum: lost, Small: int64(len(small)), SmallType: "image/png"}, all[lost])
	for sum := range all {
		o, err := b.Find(ctx, sum)
		require.NoError(t, err)
		require.Equal(t, [3]any{sum, all[sum].Bytes, all[sum].Small}, [3]any{o.Sum, o.Bytes, o.Small})
	}
	o, err := b.Find(ctx, strings.Repeat("e", 64))
	require.NoError(t, err)
	require.Empty(t, o.Sum)
	read, _, err := b.Read(ctx, one, true)
	require.NoError(t, err)
	require.Equal(t, small, read)
	_, _, err = b.Read(ctx, lost, false)
	require.ErrorIs(t, err, bucket.ErrMissing)

	require.ErrorIs(t, b.Write(ctx, lost, false, small), bucket.ErrRefused, "the sum of something else")
	require.ErrorIs(t, b.Write(ctx, bucket.SumOf([]byte("<svg/>")), false, []byte("<svg/>")), bucket.ErrRefused)
	require.ErrorIs(t, b.Write(ctx, one, true, buckettest.PNG(1, 321, 2)), bucket.ErrRefused)

	require.NoError(t, b.DeleteSmall(ctx, one))
	_, _, err = b.Read(ctx, one, true)
	require.ErrorIs(t, err, bucket.ErrMissing, "nothing stands in for it")
	_, _, err = b.Read(ctx, one, false)
	require.NoError(t, err)
	b.Empty(t)
	require.Empty(t, b.Everything(t))

	_, err = bucket.New(b.URL, "another secret of more than 32 characters").List(ctx, "")
	require.ErrorContains(t, err, "its PICTURES_TOKEN is another")
}

func TestABusySiteIsAskedAgain(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte(`{"pictures": [{"sum": "` + strings.Repeat("0", 64) + `"}, {"sum": "` + strings.Repeat("0", 64) + `"}]}`))
	}))
	defer server.Close()
	_, err := bucket.New(server.URL, "x").List(ctx, "")
	require.ErrorContains(t, err, "lists", "a list that does not go on would never end")
	require.EqualValues(t, 2, asked.Load())
}
