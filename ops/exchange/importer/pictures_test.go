package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/ops/bucket"
	"plaza/test/buckettest"
)

// TestPictures imports lines with valid and invalid pictures.
func TestPictures(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	b := buckettest.OpenFake(t)
	root := t.TempDir()
	dir := filepath.Join(root, "pictures")
	require.NoError(t, os.Mkdir(dir, 0o700))
	put := func(name string, text []byte) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		return name
	}
	var good []string
	for n := range 11 {
		picture := buckettest.PNG(n, 500, 400)
		good = append(good, put(bucket.SumOf(picture), picture))
	}
	put(good[0]+"-small", buckettest.PNG(50, 320, 256))
	put(good[1]+"-small", buckettest.PNG(50, 400, 256)) // too wide
	put(good[2]+"-small", []byte("<svg/>"))
	page := []byte("<script>alert(1)</script>")
	notOne := put(bucket.SumOf(page), page)
	wrong := put(strings.Repeat("a", 64), buckettest.PNG(60, 5, 5))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, strings.Repeat("b", 64))))
	require.NoError(t, os.WriteFile(filepath.Join(root, "secret"), buckettest.PNG(61, 5, 5), 0o600))

	shown := func(sums ...string) string {
		var list []string
		for _, sum := range sums {
			alt, _ := json.Marshal(" A\npicture " + strings.Repeat("ü", 600))
			list = append(list, fmt.Sprintf(`{"sum":%q,"small":true,"alt":%s}`, sum, alt))
		}
		return `"pictures":[` + strings.Join(list, ",") + `],"created_at":"2026-11-01T00:00:00Z"}`
	}
	lines := []string{strings.TrimSpace(neutralHeader),
		fmt.Sprintf(`{"type":"picture","sum":%q,"media":"text/html","width":400,"height":500,"bytes":7,"colour":"#12ab3f","hash":"00000000000000ff"}`, good[0]),
		fmt.Sprintf(`{"type":"picture","sum":%q,"media":"image/png","width":1,"height":9999,"bytes":7,"colour":"red;","hash":"x"}`, good[1]),
		`{"type":"post","id":"1","community":"shown","author":"ann","title":"Good","text":"x",` + shown(good[0], good[1], good[2]),
		`{"type":"post","id":"2","community":"shown","title":"Bad",` + shown(notOne, wrong, strings.Repeat("b", 64), "../secret", strings.Repeat("c", 64)),
		`{"type":"post","id":"3","community":"shown","title":"Too many",` + shown(good...),
		`{"type":"comment","id":"4","post":"1","author":"ben","body":"Look",` + shown(good[3], good[0]),
	}
	run := func(t *testing.T, pictures *Pictures) Result {
		t.Helper()
		r, err := Import(ctx, data.NewDB(db), Options{Format: Neutral, Now: importNow, Pictures: pictures,
			Bad:     func(b Bad) { t.Error(b) },
			Sources: []Source{textSource("x", strings.Join(lines, "\n")+"\n")}})
		require.NoError(t, err)
		return r
	}
	exec(t, db, `INSERT INTO picture_blocks (id, community_id, sum, target_id, rule, actor_id) VALUES (1, 0, ?, 0, 'x', 1)`, good[9])
	r := run(t, &Pictures{Bucket: b.Client, Dirs: []string{filepath.Join(root, "nowhere"), dir}})
	require.Equal(t, Result{Posts: 3, Comments: 1, Communities: 1, Accounts: 2, Pictures: 9, NoPictures: 5}, r)
	all := b.Everything(t)
	require.Len(t, all, 9, "the blocked one does not come")
	for _, sum := range good[:9] {
		require.Contains(t, all, sum)
		require.Equal(t, sum == good[0], all[sum].Small > 0)
	}
	require.Equal(t, 9, one[int](t, db, `SELECT count(*) FROM pictures WHERE state = 'stored' AND type = 'image/png' AND check_at IS NOT NULL`))
	require.Equal(t, "400 500 #12ab3f 255 1", one[string](t, db, `SELECT width || ' ' || height || ' ' || colour || ' ' || hash || ' ' || small
  FROM pictures WHERE sum = ?`, good[0]), "as its line says, because it may lie on its side")
	require.Equal(t, "500 400 ", one[string](t, db, `SELECT width || ' ' || height || ' ' || colour FROM pictures WHERE sum = ?`, good[1]))
	require.Equal(t, 3, one[int](t, db, `SELECT pictures FROM picture_totals WHERE user_id = (SELECT id FROM users WHERE username = 'ann')`))
	require.Equal(t, 14, one[int](t, db, `SELECT count(*) FROM picture_uses`))

	var list []pictures.Picture
	require.NoError(t, json.Unmarshal([]byte(one[string](t, db, `SELECT pictures FROM posts WHERE title = 'Good'`)), &list))
	require.Len(t, list, 3)
	require.Equal(t, [3]string{good[0], good[1], good[2]}, [3]string{list[0].Sum, list[1].Sum, list[2].Sum})
	require.Equal(t, pictures.AltMax, len([]rune(list[0].Alt)))
	require.NotContains(t, list[0].Alt, "\n")
	require.Equal(t, [2]bool{true, true}, [2]bool{list[0].Small, list[0].Light})
	require.NoError(t, json.Unmarshal([]byte(one[string](t, db, `SELECT pictures FROM comments`)), &list))
	require.Equal(t, good[0], list[1].Sum)
	require.Equal(t, [2]bool{false, true}, [2]bool{list[1].Small, list[1].Light}, "ann's small version is not ben's")
	require.Equal(t, "text 0", one[string](t, db, `SELECT kind || ' ' || length(pictures) FROM posts WHERE title = 'Bad'`), "its thread is kept")
	require.Equal(t, "image 9", one[string](t, db, `SELECT kind || ' ' || json_array_length(pictures) FROM posts WHERE title = 'Too many'`))

	require.Equal(t, Result{Existing: 4}, run(t, &Pictures{Bucket: b.Client, Dirs: []string{dir}}))
	require.Equal(t, 9, one[int](t, db, `SELECT pictures FROM picture_totals WHERE user_id = 0`))
}

// photo is a picture with areas of different brightness, as JPEG or PNG.
func photo(width, height int, lighter uint8, asJPEG bool) []byte {
	it := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			it.SetGray(x, y, color.Gray{Y: uint8(80+60*math.Sin(9*float64(x)/float64(width))*math.Cos(7*float64(y)/float64(height))) + lighter})
		}
	}
	var out bytes.Buffer
	if asJPEG {
		_ = jpeg.Encode(&out, it, &jpeg.Options{Quality: 60}) // into memory
	} else {
		_ = png.Encode(&out, it)
	}
	return out.Bytes()
}

// TestSmallVersionsOfAnImport: a small version is stored if the first author who shows the picture has made it.
func TestSmallVersionsOfAnImport(t *testing.T) {
	db, b, dir := mustOpen(t), buckettest.OpenFake(t), t.TempDir()
	picture := buckettest.PNG(1, 500, 400)
	sum := bucket.SumOf(picture)
	require.NoError(t, os.WriteFile(filepath.Join(dir, sum), picture, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, sum+"-small"), buckettest.PNG(50, 320, 256), 0o600))
	lines := []string{strings.TrimSpace(neutralHeader)}
	for i, post := range []string{`"author":"victim","pictures":[{"sum":%q}]`, `"author":"forger","pictures":[{"sum":%q,"small":true}]`} {
		lines = append(lines, fmt.Sprintf(`{"type":"post","id":"%d","community":"shown","title":"x","created_at":"2026-11-01T00:00:00Z",`+post+`}`, i, sum))
	}
	_, err := Import(context.Background(), data.NewDB(db), Options{Format: Neutral, Now: importNow,
		Pictures: &Pictures{Bucket: b.Client, Dirs: []string{dir}}, Bad: func(b Bad) { t.Error(b) },
		Sources: []Source{textSource("x", strings.Join(lines, "\n")+"\n")}})
	require.NoError(t, err)
	require.Zero(t, b.Everything(t)[sum].Small)
	require.Equal(t, 2, one[int](t, db, `SELECT count(*) FROM posts WHERE pictures LIKE '%"light":true%' AND pictures NOT LIKE '%small%'`))
}

func TestHashOfAPicture(t *testing.T) {
	of := func(text []byte) int64 {
		hash, ok := hashOf(text)
		require.True(t, ok)
		return hash
	}
	first := of(photo(400, 300, 0, false))
	require.True(t, pictures.Similar(first, of(photo(320, 240, 0, true))))
	require.False(t, pictures.Similar(first, of(buckettest.PNG(0x8421, 9, 8))))
	require.Zero(t, of(buckettest.PNG(0, 30, 20)), "of one colour")
	left := image.NewGray(image.Rect(0, 0, 9, 8)) // each row except the first gets darker from left to right
	for y := range 8 {
		for x := range 9 {
			left.SetGray(x, y, color.Gray{Y: uint8(min(y, 1) * (200 - 20*x))})
		}
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, left))
	require.EqualValues(t, 0x00ff_ffff_ffff_ffff, of(out.Bytes()))
	for _, text := range [][]byte{nil, []byte("<svg/>"), photo(40, 30, 0, true)[:50], buckettest.PNG(1, 3000, 2000)} {
		_, ok := hashOf(text)
		require.False(t, ok)
	}
}
