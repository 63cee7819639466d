package pictureblocks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
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
	k := &kit{Stores: s, blocks: &pictureblocks.Store{Base: s.Posts.Base, Accounts: s.Accounts, Communities: s.Communities},
		uploads: &pictures.Store{Base: s.Posts.Base}, gophers: "gophers", gardens: "gardens"}
	people := s.Actors(4, storetest.Old, storetest.Anywhere)
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

// upload uploads a picture of a member.
func (k *kit) upload(a data.Actor, sum string, hash *int64, community string) error {
	u := pictures.Upload{Sum: sum, Type: "image/webp", Width: 3, Height: 2, Bytes: 10, Hash: hash, Community: community, Small: hash != nil}
	if _, err := k.uploads.Reserve(storetest.Ctx, a, u); err != nil {
		return err
	}
	return k.uploads.MarkStored(storetest.Ctx, a, u)
}

// post is a post with pictures.
func (k *kit) post(community string, sums ...string) data.ID {
	k.Helper()
	var chosen []pictures.Chosen
	for _, sum := range sums {
		chosen = append(chosen, pictures.Chosen{Sum: sum})
	}
	claimed, err := k.uploads.Claim(storetest.Ctx, k.ann, community, chosen, nil)
	require.NoError(k, err)
	p, err := k.Posts.Create(storetest.Ctx, k.ann, posts.Create{Community: community, Title: "A picture", Pictures: claimed.Pictures, Chosen: chosen})
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
	n, err := k.blocks.RequestFor(storetest.Ctx, k.mod, post, false)
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
	require.NoError(t, k.upload(k.ann, sumOf(3), nil, ""))
	_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gophers", []pictures.Chosen{{Sum: sumOf(3)}, {Sum: sumOf(1)}}, nil)
	refused(err, "a post")
	_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gophers", []pictures.Chosen{{Sum: sumOf(1)}}, []pictures.Picture{{Sum: sumOf(1)}})
	refused(err, "a draft that had it")
	_, err = k.uploads.Claim(storetest.Ctx, k.ann, "gardens", []pictures.Chosen{{Sum: sumOf(1)}}, nil)
	assert.NoError(t, err, "a post elsewhere")

	list := k.list(k.gophers)
	require.Len(t, list, 1)
	assert.Equal(t, pictureblocks.Block{ID: list[0].ID, Sum: sumOf(1), Stored: true, Light: true, HasHash: true, Target: post, Rule: "Spam", By: "m0"}, *list[0])
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.mod, k.gophers, list[0].ID))
	assert.Empty(t, k.list(k.gophers))
	assert.NoError(t, k.upload(k.ann, sumOf(1), hashOf(hash), "gophers"))
	assert.Equal(t, []modlog.Action{modlog.UnblockPicture, modlog.BlockPicture}, k.log(k.gophers))
}

// TestSimilarPicturesAreListedAndNeverRefused: a browser may send any hash for any picture, also the hash of the blocked one. So no
// picture is refused because of its hash, whoever has sent the hash, before the block or after it.
func TestSimilarPicturesAreListedAndNeverRefused(t *testing.T) {
	k := open(t)
	const hash = 0xf00f_1234_5678_9abc
	require.NoError(t, k.upload(k.mod, sumOf(1), hashOf(hash), ""))
	require.NoError(t, k.upload(k.mod, sumOf(2), hashOf(hash), ""), "somebody's innocent picture, sent with a hash that will be blocked")
	_, err := k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	_, err = k.blocks.Block(storetest.Ctx, k.mod, pictureblocks.Request{Community: k.gophers, Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	onSite, here := k.list("")[0].ID, k.list(k.gophers)[0].ID
	for n, c := range []struct {
		name   string
		bits   uint64
		none   bool // no hash is sent
		before bool // another member has uploaded it before, with the blocked picture's hash
		listed bool
	}{
		{name: "the same hash", listed: true},
		{name: "6 other bits", bits: 0x8000_0100_0010_0007, listed: true},
		{name: "7 other bits", bits: 0x8000_0100_0010_000f},
		{name: "no hash", none: true},
		{name: "uploaded before by another, with no hash now", none: true, before: true, listed: true},
		{name: "uploaded before by another, with its own hash now", bits: ^uint64(0), before: true, listed: true},
	} {
		sum, said := sumOf(10+n), hashOf(hash^c.bits)
		if c.before {
			require.NoError(t, k.upload(k.mod, sum, hashOf(hash), "gophers"), c.name)
		}
		if c.none {
			said = nil
		}
		require.NoError(t, k.upload(k.ann, sum, said, "gophers"), c.name)
		for place, want := range map[string][]pictures.SimilarBlock{"gophers": {{Block: onSite, Site: true}, {Block: here}}, "gardens": {{Block: onSite, Site: true}}} {
			claimed, err := k.uploads.Claim(storetest.Ctx, k.ann, place, []pictures.Chosen{{Sum: sum}}, nil)
			require.NoError(t, err, "%s in %s", c.name, place)
			assert.Len(t, claimed.Pictures, 1)
			if !c.listed {
				want = nil
			}
			assert.Equal(t, want, claimed.Similar, "%s in %s", c.name, place)
		}
	}
	r := k.DB.Read()
	like := k.uploads.FindAll(r, pictures.Newest, "", sumOf(1), pictures.Place{}, 50)
	require.NoError(t, r.Run(storetest.Ctx))
	var sums []string
	for _, l := range *like {
		sums = append(sums, l.Sum)
	}
	assert.ElementsMatch(t, []string{sumOf(1), sumOf(2), sumOf(10), sumOf(11), sumOf(14), sumOf(15)}, sums, "administrators have a list")
}

func (k *kit) list(community string) []*pictureblocks.Block {
	k.Helper()
	r := k.DB.Read()
	list := pictureblocks.Find(r, community, 0, 50)
	require.NoError(k, r.Run(storetest.Ctx))
	return list.Items()
}

// log returns the decisions in a log, the newest first.
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
	require.NoError(t, k.blocks.UnblockWith(storetest.Ctx, k.root, []data.ID{first}))
	assert.Empty(t, k.list(""))
	assert.Len(t, k.list(k.gophers), 1, "which another has blocked")
}

// waiting returns the items of queues.
func (k *kit) waiting() (ids []data.ID) {
	for _, row := range k.Rows("SELECT q.target_id FROM queue_items q JOIN posts p ON p.id = q.target_id WHERE q.status = 'open' AND q.hits > 0") {
		ids = append(ids, data.ID(row[0].(int64)))
	}
	return ids
}

// TestBlockingTakesAvatarsIconsAndBanners: avatars, icons and banners can't wait in a queue, so a block removes the picture at once, and
// its end restores it. Similar pictures stay, because their hashes may be forged.
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
	show(k.root, accounts.Avatar{Picture: sumOf(1)})
	k.Exec("UPDATE communities SET icon = ?1, banner = ?2, revision = 1 WHERE name_key = ?3", sumOf(1), sumOf(2), k.gophers)
	k.Exec("UPDATE communities SET icon = ?1, banner = ?1, revision = 2 WHERE name_key = ?2", sumOf(1), k.gardens)
	shown := func() (all []string) {
		t.Helper()
		for _, row := range k.Rows(`SELECT username || ' ' || avatar FROM users WHERE avatar <> '' ORDER BY username`) {
			all = append(all, row[0].(string))
		}
		for _, row := range k.Rows(`SELECT name || ' ' || icon || ' ' || banner FROM communities ORDER BY name DESC`) {
			all = append(all, row[0].(string))
		}
		return all
	}
	block := func(a data.Actor, community string) {
		t.Helper()
		_, err := k.blocks.Block(storetest.Ctx, a, pictureblocks.Request{Community: community, Sums: []string{sumOf(1)}})
		require.NoError(t, err)
	}
	unblock := func(a data.Actor, community string) {
		t.Helper()
		require.NoError(t, k.blocks.Unblock(storetest.Ctx, a, community, k.list(community)[0].ID))
	}
	// ann is m2
	mod, root, ann := "m0 /"+sumOf(2), "m1 /"+sumOf(1), "m2 "+colour+"X/"+sumOf(1)
	gophers, gardens := "gophers "+sumOf(1)+" "+sumOf(2), "gardens "+sumOf(1)+" "+sumOf(1)
	all := []string{mod, root, ann, gophers, gardens}
	require.Equal(t, all, shown())
	k.Exec("UPDATE users SET repainting = 0")
	k.Exec("DELETE FROM outbox")

	block(k.mod, k.gophers)
	assert.Equal(t, []string{mod, root, ann, "gophers  " + sumOf(2), gardens}, shown(), "a community's own icon alone")
	block(k.root, "")
	taken := []string{mod, "m2 " + colour + "X", "gophers  " + sumOf(2), "gardens  "}
	assert.Equal(t, taken, shown(), "all of the same file, and none that is similar")
	assert.Len(t, k.RowsOfAll("SELECT 1 FROM outbox WHERE job = 'rename' AND subject_id IN (?1, ?2)", int64(k.ann.UserID), int64(k.root.UserID)), 2,
		"so that copies follow")
	assert.EqualValues(t, 2, k.One("SELECT count(*) FROM avatars WHERE instr(avatar, '/') = 0"))
	assert.Empty(t, k.RowsOfAll("SELECT 1 FROM picture_uses WHERE sum = ?1", sumOf(1)))
	block(k.root, "")
	assert.Equal(t, taken, shown(), "nothing changes twice")
	assert.Error(t, k.blocks.Unblock(storetest.Ctx, k.mod, "", k.list("")[0].ID))
	assert.Equal(t, taken, shown(), "who may not end a block gives nothing back")

	k.Exec("UPDATE users SET repainting = 0")
	k.Exec("DELETE FROM outbox")
	unblock(k.root, "")
	assert.Equal(t, []string{mod, root, ann, "gophers  " + sumOf(2), gardens}, shown(), "the community still blocks it")
	assert.Len(t, k.RowsOfAll("SELECT 1 FROM outbox WHERE job = 'rename' AND subject_id IN (?1, ?2)", int64(k.ann.UserID), int64(k.root.UserID)), 2)
	show(k.ann, accounts.Avatar{Colour: colour, Letter: "X"})
	unblock(k.mod, k.gophers)
	assert.Equal(t, []string{mod, root, "m2 " + colour + "X", gophers, gardens}, shown(), "what a member has removed since stays so")
	assert.EqualValues(t, 0, k.One("SELECT count(*) FROM pictures WHERE taken IS NOT NULL"))

	block(k.root, "")
	show(k.root, accounts.Avatar{Picture: sumOf(3)})
	k.Exec("UPDATE communities SET icon = ?1 WHERE name_key = ?2", sumOf(3), k.gardens)
	unblock(k.root, "")
	assert.Equal(t, []string{mod, "m1 /" + sumOf(3), "m2 " + colour + "X", gophers, "gardens " + sumOf(3) + " " + sumOf(1)}, shown(),
		"what was chosen since stays")
}

// TestTakenPicturesStayForAMonth: they could not be restored without their bytes.
func TestTakenPicturesStayForAMonth(t *testing.T) {
	k := open(t)
	require.NoError(t, k.upload(k.ann, sumOf(1), nil, ""))
	_, err := k.Accounts.Update(storetest.Ctx, k.ann, accounts.Update{Settings: accounts.Settings{Avatar: accounts.Avatar{Picture: sumOf(1)}},
		Group: accounts.GroupProfile, Force: true})
	require.NoError(t, err)
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	sweep := func(after time.Duration) {
		source := k.Posts.Source
		source.Now = func() time.Time { return k.Posts.Source.Now().Add(after) }
		require.NoError(t, (&pictures.Store{Base: data.Base{DB: k.DB, Source: source}}).Sweep(storetest.Ctx, dropper{}))
	}
	sweep(0)
	sweep(29 * 24 * time.Hour)
	assert.EqualValues(t, 1, k.One("SELECT count(*) FROM pictures WHERE state = 'stored'"))
	sweep(31 * 24 * time.Hour)
	assert.EqualValues(t, 0, k.One("SELECT count(*) FROM pictures"))
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.root, "", k.list("")[0].ID))
	assert.EqualValues(t, 0, k.One("SELECT count(*) FROM users WHERE instr(avatar, '/') > 0"), "nothing is shown by a picture that is gone")
}

// TestNothingIsGivenBackThatIsAboutToGo: the job that deletes pictures may run when the last block ends.
func TestNothingIsGivenBackThatIsAboutToGo(t *testing.T) {
	k := open(t)
	require.NoError(t, k.upload(k.ann, sumOf(1), nil, ""))
	_, err := k.Accounts.Update(storetest.Ctx, k.ann, accounts.Update{Settings: accounts.Settings{Avatar: accounts.Avatar{Picture: sumOf(1)}},
		Group: accounts.GroupProfile, Force: true})
	require.NoError(t, err)
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	shown := func() any { return k.One("SELECT count(*) FROM users WHERE instr(avatar, '/') > 0") }

	began := k.Posts.Source.Now()
	k.Exec("UPDATE pictures SET check_at = 1") // the job has found it unused, and is about to delete it
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.root, "", k.list("")[0].ID))
	assert.EqualValues(t, 1, shown())
	assert.EqualValues(t, 1, k.One("SELECT check_at >= ?1 FROM pictures", began.Add(pictures.UsedAfter).UnixMilli()))

	k.Exec("UPDATE users SET avatar = substr(avatar, 1, instr(avatar, '/') - 1) WHERE instr(avatar, '/') > 0")
	k.Exec("UPDATE pictures SET state = 'deleting'") // it has begun
	w := k.DB.Write()
	k.Accounts.RestorePicture(w, []data.ID{k.ann.UserID}, sumOf(1))
	p := k.blocks.Communities.RemovePictures(w, nil, nil)
	p.RestorePicture(w, k.gophers, "icon", sumOf(1))
	require.NoError(t, w.Run(storetest.Ctx))
	assert.EqualValues(t, 0, shown())
	assert.EqualValues(t, 0, k.One("SELECT count(*) FROM communities WHERE icon <> ''"))
}

// dropper is a bucket without bytes.
type dropper struct{}

func (dropper) Drop(context.Context, ...string) error { return nil }

func TestWhoMayBlock(t *testing.T) {
	k := open(t)
	require.NoError(t, k.upload(k.ann, sumOf(1), nil, ""))
	post := k.post(k.gardens, sumOf(1))
	for name, a := range map[string]data.Actor{"the author": k.ann, "a moderator elsewhere": k.mod} {
		_, err := k.blocks.RequestFor(storetest.Ctx, a, post, false)
		assert.Equal(t, data.Forbidden, data.ErrorCode(err), name)
		_, err = k.blocks.Block(storetest.Ctx, a, pictureblocks.Request{Community: k.gardens, Sums: []string{sumOf(1)}})
		assert.Equal(t, data.Forbidden, data.ErrorCode(err), name)
		assert.Error(t, k.blocks.Unblock(storetest.Ctx, a, k.gardens, data.ID(1)), name)
	}
	assert.Empty(t, k.list(k.gardens))
	_, err := k.blocks.RequestFor(storetest.Ctx, k.root, k.post(k.gardens, sumOf(1)), true)
	assert.NoError(t, err)
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{"no sum"}})
	assert.Equal(t, data.Invalid, data.ErrorCode(err))
	_, err = k.blocks.Block(storetest.Ctx, k.root, pictureblocks.Request{Sums: []string{sumOf(1)}})
	require.NoError(t, err)
	require.NoError(t, k.blocks.Unblock(storetest.Ctx, k.root, k.gardens, k.list("")[0].ID), "which is not the community's")
	assert.Len(t, k.list(""), 1)
}

// TestClaimsReadFewBlocks checks that the search for blocked pictures costs about the same, however many are blocked.
func TestClaimsReadFewBlocks(t *testing.T) {
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
	require.NoError(t, k.uploads.MarkStored(ctx, k.ann, pictures.Upload{Sum: sumOf(1)}))
	_, err = k.uploads.Claim(ctx, k.ann, "gophers", []pictures.Chosen{{Sum: sumOf(1)}}, nil)
	require.NoError(t, err)
	t.Log(meter.RowsRead(), "rows read")
	assert.Less(t, meter.RowsRead(), int64(400))
}
