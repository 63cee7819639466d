package pictureblocks_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/moderation/modlog"
	"plaza/data/moderation/pictureblocks"
	"plaza/test/storetest"
)

// kit is a site with two communities, a moderator of the first, an administrator and an author of posts with pictures.
type kit struct {
	*storetest.Stores
	blocks           *pictureblocks.Store
	uploads          *pictures.Store
	mod, root, ann   data.Actor
	gophers, gardens string
}

func open(t *testing.T) *kit {
	s := storetest.Open(t)
	k := &kit{Stores: s, blocks: &pictureblocks.Store{DB: s.DB, Source: s.Posts.Source, Accounts: s.Accounts, Communities: s.Communities},
		uploads: &pictures.Store{DB: s.DB, Source: s.Posts.Source}, gophers: "gophers", gardens: "gardens"}
	people := s.Crowd(4, storetest.Old, storetest.Anywhere)
	for i, p := range people {
		s.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at, karma, admin) VALUES (?1, ?2, ?2, '', 1, 100, ?3)`,
			int64(p.UserID), fmt.Sprint("m", i), i == 1)
		people[i].Name = fmt.Sprint("m", i)
	}
	k.mod, k.root, k.ann = people[0], people[1], people[2]
	for i, name := range []string{k.gophers, k.gardens} {
		_, err := s.Communities.Create(storetest.Ctx, people[3*i], communities.Create{Name: name, Title: name})
		require.NoError(t, err)
	}
	return k
}

// upload keeps a picture of somebody's.
func (k *kit) upload(a data.Actor, sum string, hash *int64, community string) error {
	u := pictures.Upload{Sum: sum, Type: "image/webp", Width: 3, Height: 2, Bytes: 10, Hash: hash, Community: community, Small: hash != nil}
	if _, err := k.uploads.Reserve(storetest.Ctx, a, u); err != nil {
		return err
	}
	return k.uploads.Kept(storetest.Ctx, a, u)
}

// post is a post with pictures.
func (k *kit) post(community string, sums ...string) data.ID {
	k.Helper()
	var chosen []pictures.Chosen
	for _, sum := range sums {
		chosen = append(chosen, pictures.Chosen{Sum: sum})
	}
	list, err := k.uploads.Claim(storetest.Ctx, k.ann, community, chosen, nil)
	require.NoError(k, err)
	p, err := k.Posts.Create(storetest.Ctx, k.ann, posts.Create{Community: community, Title: "A picture", Pictures: list, Chosen: chosen})
	require.NoError(k, err)
	return p.ID
}

func sumOf(n int) string { return fmt.Sprintf("%064x", n) }

func hashOf(n uint64) *int64 { h := int64(n); return &h }

func TestBlockedPicturesDoNotComeAgain(t *testing.T) {
	k := open(t)
	const hash = 0xf00f_1234_5678_9abc
	require.NoError(t, k.upload(k.ann, sumOf(1), hashOf(hash), ""))
	post := k.post(k.gophers, sumOf(1))
	n, err := k.blocks.Of(storetest.Ctx, k.mod, post, false)
	require.NoError(t, err)
	assert.Equal(t, &pictureblocks.Request{Community: k.gophers, Target: post, Sums: []string{sumOf(1)}}, n)
	n.Rule = "Spam"
	done, err := k.blocks.Block(storetest.Ctx, k.mod, *n)
	require.NoError(t, err)
	assert.Equal(t, 1, done.Pictures)

	refused := func(err error, where string) {
		t.Helper()
		assert.Equal(t, data.Invalid, data.ErrorCode(err), where)
		assert.Contains(t, fmt.Sprint(err), "was removed here", where)
	}
	refused(k.upload(k.ann, sumOf(1), nil, "Gophers"), "the same file")
	refused(k.upload(k.ann, sumOf(2), hashOf(hash^0x8000_0100_0010_0007), "gophers"), "6 bits")
	assert.NoError(t, k.upload(k.ann, sumOf(3), hashOf(hash^0x8000_0100_0010_000f), "gophers"), "7 bits")
	assert.NoError(t, k.upload(k.ann, sumOf(4), hashOf(hash), "gardens"), "another community")
	assert.NoError(t, k.upload(k.ann, sumOf(5), nil, "gophers"), "no hash, and another file")
	for _, sum := range []string{sumOf(1), sumOf(4)} {
		_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gophers", []pictures.Chosen{{Sum: sumOf(3)}, {Sum: sum}}, nil)
		refused(err, "a post")
		_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gophers", []pictures.Chosen{{Sum: sum}}, []pictures.Picture{{Sum: sum}})
		refused(err, "a draft that had it")
		_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gardens", []pictures.Chosen{{Sum: sum}}, nil)
		assert.NoError(t, err, "a post elsewhere")
	}

	list := k.list(k.gophers)
	require.Len(t, list, 1)
	assert.Equal(t, pictureblocks.Block{ID: list[0].ID, Sum: sumOf(1), Here: true, Small: true, Alike: true, Target: post, Rule: "Spam", By: "m0"}, *list[0])
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.mod, k.gophers, list[0].ID))
	assert.Empty(t, k.list(k.gophers))
	assert.NoError(t, k.upload(k.ann, sumOf(2), hashOf(hash), "gophers"))
	assert.Equal(t, []modlog.Action{modlog.UnblockPicture, modlog.BlockPicture}, k.log(k.gophers))
}

func (k *kit) list(community string) []*pictureblocks.Block {
	k.Helper()
	r := k.DB.Read()
	list := pictureblocks.Find(r, community, 0, 50)
	require.NoError(k, r.Run(storetest.Ctx))
	return list.Items()
}

// log are the decisions in a log, the newest first.
func (k *kit) log(community string) (actions []modlog.Action) {
	k.Helper()
	r := k.DB.Read()
	list := modlog.Find(r, community, 0, 50)
	require.NoError(k, r.Run(storetest.Ctx))
	for i, l := range list.Items() {
		assert.Equal(k, i > 0 && l.Action == modlog.BlockPicture, l.Undone)
		actions = append(actions, l.Action)
	}
	return actions
}

func TestBlockingFindsWhatIsThere(t *testing.T) {
	k := open(t)
	const hash = 0x0ff0_4321_8765_cba9
	require.NoError(t, k.upload(k.ann, sumOf(1), hashOf(hash), ""))
	require.NoError(t, k.upload(k.ann, sumOf(2), hashOf(hash^0x11_0000_0000_0011), ""))
	require.NoError(t, k.upload(k.ann, sumOf(3), hashOf(^uint64(hash)), ""))
	first, same, like, both := k.post(k.gophers, sumOf(1)), k.post(k.gophers, sumOf(1), sumOf(3)), k.post(k.gophers, sumOf(2)),
		k.post(k.gophers, sumOf(2), sumOf(1))
	k.post(k.gophers, sumOf(3))
	elsewhere := k.post(k.gardens, sumOf(2))
	k.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(first))

	n := pictureblocks.Request{Community: k.gophers, Target: first, Sums: []string{sumOf(1)}}
	done, err := k.blocks.Block(storetest.Ctx, k.mod, n)
	require.NoError(t, err)
	assert.Equal(t, &pictureblocks.Result{Pictures: 1, Queued: 3}, done)
	assert.ElementsMatch(t, []data.ID{same, like, both}, k.waiting())
	done, err = k.blocks.Block(storetest.Ctx, k.mod, n)
	require.NoError(t, err)
	assert.Equal(t, &pictureblocks.Result{Pictures: 1}, done, "they wait already")

	n.Community = ""
	_, err = k.blocks.Block(storetest.Ctx, k.mod, n)
	assert.Equal(t, data.Forbidden, data.ErrorCode(err), "a moderator is no administrator")
	done, err = k.blocks.Block(storetest.Ctx, k.root, n)
	require.NoError(t, err)
	assert.Equal(t, &pictureblocks.Result{Pictures: 1, Queued: 4}, done)
	assert.ElementsMatch(t, []data.ID{same, like, both, elsewhere}, k.waiting())
	assert.Len(t, k.list(""), 1)
	assert.Equal(t, []modlog.Action{modlog.BlockPicture}, k.log(""))
	assert.Error(t, k.upload(k.ann, sumOf(9), hashOf(hash), "gardens"))

	require.NoError(t, k.blocks.UnblockWith(storetest.Ctx, k.root, []data.ID{first}))
	assert.Empty(t, k.list(""))
	assert.Len(t, k.list(k.gophers), 1, "which another has blocked")
}

// waiting are the things in queues.
func (k *kit) waiting() (ids []data.ID) {
	for _, row := range k.Rows("SELECT q.target_id FROM queue_items q JOIN posts p ON p.id = q.target_id WHERE q.status = 'open' AND q.hits > 0") {
		ids = append(ids, data.ID(row[0].(int64)))
	}
	return ids
}

// TestBlockingTakesAvatarsIconsAndBanners: what shows a member or a community waits in no queue, so it goes at once.
func TestBlockingTakesAvatarsIconsAndBanners(t *testing.T) {
	k := open(t)
	const hash = 0x0ff0_4321_8765_cba9
	require.NoError(t, k.upload(k.ann, sumOf(1), hashOf(hash), ""))
	require.NoError(t, k.upload(k.ann, sumOf(2), hashOf(hash^0x11_0000_0000_0011), ""))
	require.NoError(t, k.upload(k.ann, sumOf(3), hashOf(^uint64(hash)), ""))
	show := func(a data.Actor, avatar accounts.Avatar) {
		t.Helper()
		_, err := k.Accounts.Update(storetest.Ctx, a, accounts.Update{Settings: accounts.Settings{Avatar: avatar}, Group: accounts.GroupProfile,
			Force: true})
		require.NoError(t, err)
	}
	colour := data.Palette[3].Hex
	show(k.ann, accounts.Avatar{Colour: colour, Letter: "X", Picture: sumOf(1)})
	show(k.mod, accounts.Avatar{Picture: sumOf(2)})
	show(k.root, accounts.Avatar{Picture: sumOf(3)})
	for i, name := range []string{k.gophers, k.gardens} {
		k.Exec("UPDATE communities SET icon = ?1, banner = ?2, revision = ?3 WHERE name_key = ?4", sumOf(2-i), sumOf(3-2*i), i+1, name)
	}
	shown := func() (all []string) {
		t.Helper()
		for _, row := range k.Rows(`SELECT username || ' ' || avatar || ' ' || repainting FROM users WHERE avatar <> '' ORDER BY username`) {
			all = append(all, row[0].(string))
		}
		for _, row := range k.Rows(`SELECT name || ' ' || icon || ' ' || banner || ' ' || revision FROM communities ORDER BY name DESC`) {
			all = append(all, row[0].(string))
		}
		return all
	}
	// ann is m2
	avatars := []string{"m0 /" + sumOf(2) + " 1", "m1 /" + sumOf(3) + " 1", "m2 " + colour + "X/" + sumOf(1) + " 1"}
	gardens := "gardens " + sumOf(1) + " " + sumOf(1) + " 2"
	require.Equal(t, append(avatars, "gophers "+sumOf(2)+" "+sumOf(3)+" 1", gardens), shown())
	k.Exec("UPDATE users SET repainting = 0")
	k.Exec("DELETE FROM outbox")

	_, err := k.blocks.Block(storetest.Ctx, k.mod, pictureblocks.Request{Community: k.gophers, Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	assert.Equal(t, []string{"gophers  " + sumOf(3) + " 3", gardens}, shown()[3:], "a similar one, here alone")
	assert.EqualValues(t, 3, k.One("SELECT count(*) FROM users WHERE instr(avatar, '/') AND NOT repainting"), "no member's")

	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	assert.Equal(t, []string{"m1 /" + sumOf(3) + " 0", "m2 " + colour + "X 1", "gophers  " + sumOf(3) + " 3", "gardens   4"}, shown())
	assert.Len(t, k.RowsOfAll("SELECT 1 FROM outbox WHERE work = 'rename' AND subject_id IN (?1, ?2)", int64(k.ann.UserID), int64(k.mod.UserID)), 2,
		"so that copies follow")
	assert.EqualValues(t, 2, k.One("SELECT count(*) FROM avatars WHERE instr(avatar, '/') = 0"))
	assert.Empty(t, k.RowsOfAll("SELECT 1 FROM picture_uses WHERE sum <> ?1", sumOf(3)))

	again := shown()
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	assert.Equal(t, again, shown(), "nothing changes twice")
}

func TestWhoMayBlock(t *testing.T) {
	k := open(t)
	require.NoError(t, k.upload(k.ann, sumOf(1), nil, ""))
	post := k.post(k.gardens, sumOf(1))
	for name, a := range map[string]data.Actor{"the author": k.ann, "a moderator elsewhere": k.mod} {
		_, err := k.blocks.Of(storetest.Ctx, a, post, false)
		assert.Equal(t, data.Forbidden, data.ErrorCode(err), name)
		_, err = k.blocks.Block(storetest.Ctx, a, pictureblocks.Request{Community: k.gardens, Sums: []string{sumOf(1)}})
		assert.Equal(t, data.Forbidden, data.ErrorCode(err), name)
		assert.Error(t, k.blocks.Unblock(storetest.Ctx, a, k.gardens, data.ID(1)), name)
	}
	assert.Empty(t, k.list(k.gardens))
	_, err := k.blocks.Of(storetest.Ctx, k.root, k.post(k.gardens, sumOf(1)), true)
	assert.NoError(t, err)
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{"no sum"}})
	assert.Equal(t, data.Invalid, data.ErrorCode(err))
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.root, k.gardens, k.list("")[0].ID), "which is not the community's")
	assert.Len(t, k.list(""), 1)
}

// TestUploadsReadFewBlocks holds that it costs about the same to look for a blocked picture, however many are blocked.
func TestUploadsReadFewBlocks(t *testing.T) {
	k := open(t)
	random := rand.New(rand.NewPCG(5, 6))
	hashes := make([]int64, 10_000)
	for i := range hashes {
		hashes[i] = int64(random.Uint64())
	}
	list, err := json.Marshal(hashes)
	require.NoError(t, err)
	k.Exec(`INSERT INTO picture_blocks (id, community_id, sum, hash, target_id, rule, actor_id)
SELECT key + 1, 0, 'x' || key, value, 0, '', 1 FROM json_each(?1)`, string(list))
	ctx, meter := k.Metered()
	_, err = k.uploads.Reserve(ctx, k.ann, pictures.Upload{Sum: sumOf(1), Type: "image/webp", Width: 3, Height: 2, Bytes: 10,
		Hash: hashOf(random.Uint64())})
	require.NoError(t, err)
	t.Log(meter.RowsRead(), "rows read")
	assert.Less(t, meter.RowsRead(), int64(400))
}
