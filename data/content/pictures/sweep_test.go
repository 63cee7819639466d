package pictures_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/pictures"
	"plaza/test/storetest"
)

// dropper is a bucket that counts deletions. meanwhile runs during each deletion.
type dropper struct {
	dropped   []string
	meanwhile func()
}

func (d *dropper) Drop(_ context.Context, sums ...string) error {
	if len(sums) > 500 { // worker/edge/shim/bucket.mjs
		return errors.New("too many at once")
	}
	d.dropped = append(d.dropped, sums...)
	if d.meanwhile != nil {
		d.meanwhile()
	}
	return nil
}

func TestTwoRunsDeleteNoPictureTwice(t *testing.T) {
	s := storetest.Open(t)
	store := &pictures.Store{Base: s.Posts.Base}
	s.Exec(`INSERT INTO pictures (sum, type, width, height, bytes, small, colour, created_at, state, check_at)
VALUES (?1, 'image/webp', 1, 1, 1, 1, '', 0, 'stored', 1), (?2, 'image/webp', 1, 1, 1, 1, '', 0, 'deleting', 1)`, sumOf(1), sumOf(2))
	second := &dropper{}
	first := &dropper{meanwhile: func() { require.NoError(t, store.Sweep(storetest.Ctx, second)) }}
	require.NoError(t, store.Sweep(storetest.Ctx, first))
	require.ElementsMatch(t, []string{sumOf(1), sumOf(2)}, first.dropped)
	require.Empty(t, second.dropped)
}

// TestEraseOfManyPictures: a bucket refuses to delete more than 500 at once, and the job skips pictures that are being erased.
func TestEraseOfManyPictures(t *testing.T) {
	s := storetest.Open(t)
	store := &pictures.Store{Base: s.Posts.Base}
	s.Exec(`INSERT INTO pictures (sum, type, width, height, bytes, small, colour, user_id, created_at, state)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
SELECT printf('%064x', n.i), 'image/webp', 1, 1, 1, 1, '', 7, n.i, 'stored' FROM n`)
	second := &dropper{}
	bucket := &dropper{meanwhile: func() { require.NoError(t, store.Sweep(storetest.Ctx, second)) }}
	require.NoError(t, store.Erase(storetest.Ctx, bucket, 7, nil))
	require.Len(t, bucket.dropped, 1000)
	require.Empty(t, second.dropped)
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM pictures"))
}
