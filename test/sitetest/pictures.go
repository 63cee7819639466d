package sitetest

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/site"
	"plaza/ops/bucket"
	"plaza/protocol/unfurl"
	"plaza/test/buckettest"
)

// MayUpload lets every member upload pictures.
func (s *Site) MayUpload() {
	s.Helper()
	s.set(func(set *site.Settings) { set.Archive, set.Uploads = 90, pictures.ByEverybody })
}

// Upload has a member upload a picture, with a small version unless that is nil.
func (s *Site) Upload(b *buckettest.Bucket, a data.Actor, picture, small []byte) pictures.Picture {
	s.Helper()
	store := &pictures.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	width, height := unfurl.ImageSize(picture)
	hash := int64(-5)
	u := pictures.Upload{Sum: bucket.SumOf(picture), Type: unfurl.ImageType(picture), Width: width, Height: height, Bytes: int64(len(picture)),
		Small: small != nil, Colour: "#00695c", Hash: &hash}
	_, err := store.Reserve(ctx, a, u)
	require.NoError(s, err)
	require.NoError(s, b.Write(ctx, u.Sum, false, picture))
	if small != nil {
		require.NoError(s, b.Write(ctx, u.Sum, true, small))
	}
	require.NoError(s, store.MarkStored(ctx, a, u))
	return pictures.Picture{Sum: u.Sum, Width: width, Height: height, Colour: u.Colour, Small: u.Small, Light: u.Bytes <= pictures.LightMax}
}

// PostPictures posts pictures. The hourly job has found that they are used.
func (s *Site) PostPictures(a data.Actor, community, title string, list ...pictures.Picture) *posts.Post {
	s.Helper()
	store := &pictures.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	claimed, err := store.Claim(ctx, a, community, pictures.ChosenOf(list), nil)
	require.NoError(s, err)
	p, err := s.Posts.Create(ctx, a, posts.Create{Community: community, Title: title, Chosen: pictures.ChosenOf(list),
		Pictures: claimed.Pictures})
	require.NoError(s, err)
	return p
}

// Sweep runs the hourly job, two days later.
func (s *Site) Sweep(b *buckettest.Bucket) {
	s.Helper()
	source := data.SystemSource()
	source.Now = func() time.Time { return time.Now().Add(48 * time.Hour) }
	require.NoError(s, (&pictures.Store{Base: data.Base{DB: s.DB, Source: source}}).Sweep(ctx, dropper{b}))
}

// dropper is the bucket as the site sees it.
type dropper struct{ *buckettest.Bucket }

func (d dropper) Drop(ctx context.Context, sums ...string) (err error) {
	for _, sum := range sums {
		err = errors.Join(err, d.Delete(ctx, sum))
	}
	return err
}
