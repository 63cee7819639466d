package verify_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/content/pictures"
	"plaza/ops/bucket"
	"plaza/ops/verify"
	"plaza/test/buckettest"
	"plaza/test/sitetest"
)

// pictured is a site whose members have uploaded twelve pictures: the first eight are in posts, and the even ones have small versions.
type pictured struct {
	*sitetest.Site
	bucket *buckettest.Bucket
	bytes  [12][]byte
	small  [12][]byte
	all    [12]pictures.Picture
}

func openPictured(t *testing.T, shards int) *pictured {
	s := &pictured{Site: sitetest.Open(t, shards), bucket: buckettest.OpenFake(t)}
	s.People(3, 30*24*time.Hour)
	s.Community("Alpha", 0)
	s.Community("Beta", min(1, shards-1))
	s.MayUpload()
	for n := range s.all {
		s.bytes[n] = buckettest.PNG(n, 400, 300+n)
		if n%2 == 0 {
			s.small[n] = buckettest.PNG(n, 320, 240)
		}
		s.all[n] = s.Upload(s.bucket, s.Members[n%3], s.bytes[n], s.small[n])
	}
	s.PostPictures(s.Members[0], "Alpha", "Four of them", s.all[0], s.all[1], s.all[2], s.all[3])
	s.exec(t, 0, `UPDATE communities SET icon = ?1, banner = ?2 WHERE name_key = 'alpha'`, s.all[0].Sum, s.all[1].Sum)
	s.PostPictures(s.Members[1], "Beta", "Others, and one again", s.all[4], s.all[5], s.all[6], s.all[7], s.all[0])
	return s
}

// find verifies. The keys of the result are the texts of the differences.
func (s *pictured) find(t *testing.T, change func(*verify.Options)) map[string]verify.Difference {
	t.Helper()
	all := map[string]verify.Difference{}
	o := options(s.Site, nil)
	o.Bucket, o.Hot = s.bucket.Client, nil
	o.Found = func(d verify.Difference) {
		for n, p := range s.all {
			d.Key = strings.ReplaceAll(d.Key, p.Sum, string(rune('A'+n)))
		}
		key := d.Database + ": " + d.Table + " " + d.Key + " " + d.Column
		require.NotContains(t, all, key)
		all[key] = d
	}
	if change != nil {
		change(&o)
	}
	result, err := verify.Run(ctx, o)
	require.NoError(t, err)
	require.Len(t, all, result.Found)
	return all
}

func (s *pictured) exec(t *testing.T, db int, query string, args ...any) {
	t.Helper()
	result, err := s.Shards[db].Exec(query, args...)
	require.NoError(t, err)
	n, _ := result.RowsAffected()
	require.NotZero(t, n, query)
}

func bytesToo(o *verify.Options)  { o.PictureBytes = true }
func repairing(o *verify.Options) { o.PictureBytes, o.Repair = true, true }

// damage plants every kind of damage, and returns the differences that the list alone shows, and those that only the bytes show.
func (s *pictured) damage(t *testing.T) (byList, byBytes []string) {
	old, f := time.Now().Add(-25*time.Hour), s.bucket.Fake
	plant := func(n int, picture []byte) { f.Plant(s.all[n].Sum, false, "image/png", picture, old) }
	stranger := strings.Repeat("d", 64)

	f.Remove(s.all[0].Sum, false)                                            // an object that is missing
	f.Remove(s.all[8].Sum, false)                                            // an unused one
	f.Plant(stranger, false, "image/png", s.bytes[3], old)                   // one without a row
	f.Plant(strings.Repeat("e", 64), true, "image/png", s.small[2], old)     // a small version of nothing
	plant(1, append(s.bytes[1][:len(s.bytes[1])-2:len(s.bytes[1])-2], 1, 2)) // other bytes, as many
	plant(2, s.bytes[2][:90])                                                // cut off
	s.exec(t, 0, `UPDATE pictures SET bytes = bytes + 1, type = 'image/gif' WHERE sum = ?1`, s.all[3].Sum)
	s.exec(t, 0, `UPDATE pictures SET width = 401 WHERE sum = ?1`, s.all[9].Sum)
	f.Plant(s.all[5].Sum, false, "text/html", s.bytes[5], old)        // a type that the bucket has wrong
	f.Remove(s.all[4].Sum, true)                                      // a small version that is missing
	f.Plant(s.all[7].Sum, true, "image/png", s.small[0], old)         // one that is too many
	f.Plant(s.all[6].Sum, true, "image/png", []byte("<svg/>"), old)   // one that is no picture
	s.exec(t, 0, `DELETE FROM pictures WHERE sum = ?1`, s.all[6].Sum) // a use without a row
	s.exec(t, 0, `UPDATE pictures SET check_at = NULL WHERE sum = ?1`, s.all[10].Sum)
	home := len(s.Shards) - 1 // Beta's
	s.exec(t, min(home, 1), `DELETE FROM picture_uses WHERE sum = ?1`, s.all[5].Sum)
	s.exec(t, 0, `INSERT INTO picture_uses (sum, kind, subject_id, position) VALUES (?1, 'post', 12, 0)`, s.all[11].Sum)
	s.exec(t, 0, `UPDATE picture_totals SET bytes = bytes - 7 WHERE user_id = 0`)
	s.exec(t, 0, `UPDATE picture_totals SET pictures = 50 WHERE user_id = ?1`, int64(s.Members[1].UserID))

	byList = []string{"bucket: objects A picture", "bucket: objects I picture", "bucket: objects " + stranger + " picture",
		"bucket: objects " + strings.Repeat("e", 64) + " small version", "bucket: objects C bytes", "directory: pictures D type",
		"directory: pictures D bytes", "bucket: objects F type", "bucket: objects E small version", "bucket: objects H small version",
		"directory: pictures G row", "directory: pictures K check_at"}
	return byList, []string{"bucket: objects B bytes", "directory: pictures J width"}
}

func TestPicturesAreCompared(t *testing.T) {
	for _, shards := range []int{1, 3} {
		s := openPictured(t, shards)
		require.Empty(t, s.find(t, bytesToo))
		before := s.bucket.Everything(t)
		byList, byBytes := s.damage(t)

		found := s.find(t, nil)
		for _, key := range byList {
			require.Contains(t, found, key)
		}
		for _, key := range byBytes {
			require.NotContains(t, found, key)
		}
		require.Contains(t, found, "directory: picture_totals 0 bytes")
		uses := 0
		for key := range found {
			if strings.Contains(key, "picture_uses") {
				uses++
			}
		}
		require.Equal(t, 2, uses, "one that is missing and one too many: %v", found)
		again := s.find(t, bytesToo)
		for _, key := range append(byList, byBytes...) {
			require.Contains(t, again, key)
		}

		// Without a backup, what is used and lost stays so. All else is repaired.
		s.find(t, repairing)
		for round := 0; ; round++ {
			require.Less(t, round, 4)
			skipped := s.find(t, repairing)
			repaired := 0
			for _, d := range skipped {
				if d.Repaired {
					repaired++
				}
			}
			if repaired > 0 {
				continue
			}
			require.Len(t, skipped, 3, "%v", skipped)
			for _, key := range []string{"bucket: objects A picture", "bucket: objects B bytes", "bucket: objects C bytes"} {
				require.Contains(t, skipped[key].NotRepaired, "--pictures-from")
			}
			break
		}
		// With one, everything is as before except unused pictures, and small versions that no backup has.
		saved := func(sum string, small bool) ([]byte, error) {
			for n, p := range s.all {
				if p.Sum == sum && !small {
					return s.bytes[n], nil
				}
				if p.Sum == sum && s.small[n] != nil {
					return s.small[n], nil
				}
			}
			return nil, errors.New("none")
		}
		for _, d := range s.find(t, func(o *verify.Options) { repairing(o); o.Saved = saved }) {
			require.True(t, d.Repaired, d)
		}
		require.Empty(t, s.find(t, bytesToo))
		after := s.bucket.Everything(t)
		delete(before, s.all[8].Sum)
		for sum, o := range after {
			require.Equal(t, before[sum].Bytes, o.Bytes)
			require.Equal(t, before[sum].Type, o.Type)
			read, _, err := s.bucket.Read(ctx, sum, false)
			require.NoError(t, err)
			require.Equal(t, sum, bucket.SumOf(read))
		}
		require.Len(t, after, len(before))
	}
}

func TestPicturesUnderWayAreSkipped(t *testing.T) {
	s := openPictured(t, 2)
	young := strings.Repeat("d", 64)
	s.bucket.Fake.Plant(young, false, "image/png", s.bytes[3], time.Now().Add(-23*time.Hour))
	s.exec(t, 0, `UPDATE pictures SET state = 'uploading' WHERE sum = ?1`, s.all[9].Sum)
	s.bucket.Fake.Remove(s.all[9].Sum, false)
	s.exec(t, 0, `UPDATE pictures SET state = 'deleting' WHERE sum = ?1`, s.all[10].Sum)
	s.bucket.Fake.Remove(s.all[10].Sum, false)
	require.Empty(t, s.find(t, repairing))
	require.Contains(t, s.bucket.Everything(t), young)
	t.Run("what was deleted while it was compared is no difference", func(t *testing.T) {
		s.bucket.Fake.Remove(s.all[11].Sum, false)
		require.Len(t, s.find(t, nil), 1)
		s.bucket.Fake.Plant(s.all[11].Sum, false, "image/png", s.bytes[11], time.Now())
		sum := s.all[11].Sum
		s.bucket.Fake.Remove(sum, false)
		require.Empty(t, s.find(t, func(o *verify.Options) {
			o.Wait = func(c context.Context) error {
				s.exec(t, 0, `DELETE FROM pictures WHERE sum = ?1`, sum)
				return nil
			}
		}))
	})
	t.Run("a bucket of another site is not emptied", func(t *testing.T) {
		empty := sitetest.Open(t, 1)
		other := &pictured{Site: empty, bucket: s.bucket, all: s.all}
		s.bucket.Fake.Plant(young, false, "image/png", s.bytes[3], time.Now().Add(-25*time.Hour))
		found := other.find(t, repairing)
		require.Contains(t, found["bucket: objects "+young+" picture"].NotRepaired, "is this its bucket?")
		require.Contains(t, s.bucket.Everything(t), young)
	})
}

// TestPicturesWithoutBucket: the tables are compared with each other nevertheless.
func TestPicturesWithoutBucket(t *testing.T) {
	s := openPictured(t, 1)
	s.damage(t)
	found := s.find(t, func(o *verify.Options) { o.Bucket = nil })
	require.Contains(t, found, "directory: pictures K check_at")
	require.Contains(t, found, "directory: pictures G row")
	require.Contains(t, found, "directory: picture_totals 0 bytes")
	for key := range found {
		require.NotContains(t, key, "bucket")
	}
}
