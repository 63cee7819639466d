package main

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/buckettest"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// cliWith is cli with the bucket of pictures.
func cliWith(b *buckettest.Bucket, args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(context.Background(), &environment{out: &o, err: &e, exclusive: true, getenv: func(name string) string {
		return map[string]string{"SITE_URL": b.URL, "PICTURES_TOKEN": b.Token}[name]
	}}, args)
	return code, o.String(), e.String()
}

// illustrated is a site of two databases with its bucket. Its members show nine of twelve pictures.
func illustrated(t *testing.T) (s *sitetest.Site, b *buckettest.Bucket, bytes map[string][]byte) {
	s, b = sitetest.Open(t, 2), buckettest.Open(t)
	s.People(3, 30*24*time.Hour)
	s.Community("Alpha", 0)
	s.Community("Beta", 1)
	s.MayUpload()
	for n := range 4 {
		picture, small := buckettest.PNG(n, 400, 300+n), buckettest.PNG(n, 320, 240)
		one := s.Upload(b, s.Members[n%3], picture, small)
		two := s.Upload(b, s.Members[n%3], buckettest.PNG(100+n, 40, 30), nil)
		one.Alt, two.Alt = `A "large" ümlaut`, ""
		s.PostPictures(s.Members[n%3], []string{"Alpha", "Beta"}[n%2], "Two pictures", two, one)
		s.Upload(b, s.Members[0], buckettest.PNG(200+n, 40, 30), nil) // nothing uses these
	}
	return s, b, bytesOf(t, b)
}

// bytesOf returns everything in a bucket, by address.
func bytesOf(t *testing.T, b *buckettest.Bucket) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for sum, o := range b.Everything(t) {
		for _, small := range []bool{false, true} {
			if small && o.Small == 0 {
				continue
			}
			read, kind, err := b.Read(context.Background(), sum, small)
			require.NoError(t, err)
			require.Equal(t, "image/png", kind)
			all[sum+map[bool]string{true: "/small"}[small]] = read
		}
	}
	return all
}

func at(urls []string) []string {
	return []string{"--url", urls[0], "--shard", urls[0], "--shard", urls[1]}
}

// TestPicturesDrill deletes a site and its bucket, and restores both. e2e/edge/kept.test.mjs does the same with a real bucket.
func TestPicturesDrill(t *testing.T) {
	s, b, first := illustrated(t)
	require.Len(t, first, 16)
	do := func(args ...string) string {
		t.Helper()
		code, out, said := cliWith(b, args...)
		require.Zero(t, code, out+said)
		return out
	}
	folder := t.TempDir()
	monday, tuesday := filepath.Join(folder, "monday"), filepath.Join(folder, "tuesday")
	require.Regexp(t, `^Backed up [\d,]+ rows and 12 pictures of 0\.0 MB, of which 12 are new, into `,
		do(append([]string{"backup", monday}, at(s.URLs)...)...))
	require.Regexp(t, `is whole: [\d,]+ rows and 12 pictures of`, do("backup", "--check", monday))

	s.Sweep(b) // deletes four pictures
	fresh := s.Upload(b, s.Members[0], buckettest.PNG(300, 40, 30), nil)
	s.PostPictures(s.Members[0], "Beta", "One more", fresh)
	before := bytesOf(t, b)
	require.Len(t, before, 13)
	reads := b.Reads()
	require.Regexp(t, ` and 9 pictures of 0\.0 MB, of which 1 are new, into `, do(append([]string{"backup", tuesday}, at(s.URLs)...)...))
	require.Equal(t, min(reads, 1), b.Reads()-reads, "the others were in the backup before")
	files := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(tuesday, "pictures"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			sum, isSmall := strings.CutSuffix(d.Name(), "-small")
			require.Contains(t, before, sum+map[bool]string{true: "/small"}[isSmall], "what is gone from the site is in no backup after it")
		}
		return err
	}))
	require.Equal(t, len(before), files)

	b.Empty(t)
	into := at([]string{stacktest.OpenURL(t), stacktest.OpenURL(t)})
	require.Contains(t, do(append([]string{"restore", tuesday}, into...)...), "The bucket has its 9 pictures, of which 9 were missing.")
	require.Equal(t, before, bytesOf(t, b))
	out := do(append([]string{"verify", "--pictures=bytes"}, into...)...)
	require.Regexp(t, `: 0 differences\.\nThe bucket has 9 pictures\.\n$`, out)
	require.Contains(t, do("restore", "--only-pictures", tuesday), "of which 0 were missing.")

	t.Run("a lost picture comes back from a backup", func(t *testing.T) {
		require.NoError(t, b.Delete(context.Background(), fresh.Sum))
		code, out, said := cliWith(b, append([]string{"verify", "--repair"}, into...)...)
		require.Equal(t, 1, code, out+said)
		require.Contains(t, out, "bucket: objects "+fresh.Sum+": picture is missing and should be there (left as it is: no copy of it was given")
		out = do(append([]string{"verify", "--repair", "--pictures-from", tuesday}, into...)...)
		require.Contains(t, out, "1 difference, 1 repaired.")
		require.Equal(t, before, bytesOf(t, b))
	})
	t.Run("without the secret all of them say that pictures were left out", func(t *testing.T) {
		code, out, said := cli(append([]string{"backup", filepath.Join(folder, "wednesday")}, into...)...)
		require.Zero(t, code, said)
		require.Contains(t, out, "Pictures were left out: PICTURES_TOKEN is not set.")
		code, out, said = cli(append([]string{"restore", tuesday, "--overwrite"}, into...)...)
		require.Zero(t, code, said)
		require.Contains(t, out, "Its 9 pictures were left out: PICTURES_TOKEN is not set. plaza restore --only-pictures brings them back.")
		code, out, said = cli(append([]string{"verify"}, into...)...)
		require.Zero(t, code, said)
		require.Contains(t, out, "Pictures were not compared with the bucket: PICTURES_TOKEN is not set.")
	})
	t.Run("a picture that has changed on the disk is found", func(t *testing.T) {
		path := filepath.Join(tuesday, "pictures", fresh.Sum[:2], fresh.Sum)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		text[20] ^= 1
		require.NoError(t, os.WriteFile(path, text, 0o600))
		code, _, said := cli("backup", "--check", tuesday)
		require.Equal(t, 1, code)
		require.Contains(t, said, "is not the file that was written")
		require.NoError(t, os.Remove(path))
		code, _, _ = cli("backup", "--check", tuesday)
		require.Equal(t, 1, code)
		require.Contains(t, do("backup", "--check", monday), "is whole")
	})
}

// TestPicturesMove moves a site to another one, whose bucket is empty.
func TestPicturesMove(t *testing.T) {
	s, from, _ := illustrated(t)
	_, err := s.Shards[0].Exec(`UPDATE comments SET pictures = (SELECT pictures FROM posts WHERE pictures <> '' ORDER BY id LIMIT 1) WHERE id = ?1`,
		int64(s.Comment(s.Members[0], data.ID(number(t, s.Shards[0], `SELECT max(id) FROM posts WHERE pictures <> ''`)), 0, "This one").ID))
	require.NoError(t, err)
	s.ApplyDeltas()
	only := s.Upload(from, s.Members[0], buckettest.PNG(400, 60, 50), nil)
	before := bytesOf(t, from)
	_, err = s.Directory.Exec(`UPDATE communities SET icon = ?1, banner = ?1 WHERE name_key = 'alpha'`, only.Sum)
	require.NoError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "site.ndjson")
	code, out, said := cliWith(from, append([]string{"export", "--site", "plaza.example", file}, at(s.URLs)...)...)
	require.Zero(t, code, said)
	require.Regexp(t, `\n9 pictures are in .*/pictures\.\n$`, out)
	for key := range before {
		sum, small := strings.CutSuffix(key, "/small")
		text, err := os.ReadFile(filepath.Join(dir, "pictures", sum+map[bool]string{true: "-small"}[small]))
		if used := number(t, s.Shards[0], `SELECT count(*) FROM picture_uses WHERE sum = '`+sum+`'`) +
			number(t, s.Shards[1], `SELECT count(*) FROM picture_uses WHERE sum = '`+sum+`'`); used == 0 && sum != only.Sum {
			require.ErrorIs(t, err, os.ErrNotExist, "nothing shows it")
			delete(before, key)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, before[key], text)
	}
	require.Len(t, before, 13)

	to := buckettest.OpenFake(t)
	if from.Fake == nil {
		from.Empty(t)
		to = from
	}
	urls := []string{stacktest.OpenSchemaURL(t), stacktest.OpenSchemaURL(t)}
	bring := append([]string{"import", "--format", "plaza", dir}, at(urls)...)
	code, out, said = cliWith(to, bring...)
	require.Zero(t, code, said)
	require.Contains(t, out, ", 9 new pictures.")
	require.NotContains(t, said, "skipped")
	require.Equal(t, before, bytesOf(t, to))
	code, out, said = cliWith(to, append([]string{"verify", "--pictures=bytes"}, at(urls)...)...)
	require.Zero(t, code, out+said)

	again := filepath.Join(t.TempDir(), "again.ndjson")
	code, _, said = cliWith(to, append([]string{"export", "--site", "plaza.example", again}, at(urls)...)...)
	require.Zero(t, code, said)
	first, second := linesOf(t, file), linesOf(t, again)
	shown := func(lines map[string]string) (list []string) {
		for key, line := range lines {
			kind, _, _ := strings.Cut(key, " ")
			if _, pictures, has := strings.Cut(line, `"pictures":`); has { // the part behind ids, which another shard changes
				list = append(list, kind+pictures)
			} else if kind == "picture" {
				list = append(list, line)
			}
		}
		return list
	}
	require.Len(t, shown(first), 14, "9 pictures, 4 posts, 1 comment")
	require.ElementsMatch(t, shown(first), shown(second))
	require.Contains(t, first["community Alpha"], `"icon":"`+only.Sum+`","banner":"`+only.Sum+`"`)
	require.Equal(t, first["community Alpha"], second["community Alpha"])
	require.Contains(t, first["picture "+firstSum(t, s.Directory)], `"colour":"#00695c","hash":"fffffffffffffffb"`)

	code, out, said = cliWith(to, bring...)
	require.Zero(t, code, said)
	require.Regexp(t, `^Imported 0 posts and 0 comments .*\), \d+ were there already\.\n$`, out)
	t.Run("without the secret posts come without their pictures", func(t *testing.T) {
		bare := []string{stacktest.OpenSchemaURL(t), stacktest.OpenSchemaURL(t)}
		code, out, said := cli(append([]string{"import", "--format", "plaza", file}, at(bare)...)...)
		require.Zero(t, code, said)
		require.Contains(t, out, "Pictures are left out: PICTURES_TOKEN is not set.")
		require.Contains(t, out, "12 pictures left out")
		code, out, said = cli(append([]string{"verify"}, at(bare)...)...)
		require.Zero(t, code, out+said)
	})
}

func firstSum(t *testing.T, db *sql.DB) (sum string) {
	t.Helper()
	require.NoError(t, db.QueryRow(`SELECT min(sum) FROM pictures WHERE small = 1`).Scan(&sum))
	return sum
}
