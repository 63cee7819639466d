// Package erase removes the text of a post, a comment, a message or a community's page from the site permanently: an administrator's
// decision. It also removes, after 30 days, the remaining copies of posts and comments that their authors have deleted. Texts are copied
// into addresses, crossposts, inboxes, reports and notes, so each table with such a copy needs a statement here (TestErase).
//
// Begin with Store.Erase and Store.Forget (forget.go). docs/inside/moderation.md has the steps, and docs/moderation.md what is out of
// reach.
package erase

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/lists/search"
)

// Grounds are the reasons for an erasure. The log has one of them and no text by users, so that it does not reveal what was erased.
var Grounds = []string{"Illegal content", "Personal data", "Rights of others", "At the request of its author", "Order of an authority"}

// Store erases.
type Store struct {
	data.Base
	Posts *posts.Store
}

// Thing is a post or comment to erase.
type Thing struct {
	ID        data.ID
	Community string
	Author    data.ID // 0 is none
	Slug      string  // of the thread
	Title     string  // of a post; "" for a deleted post, whose title was a user's text too
	Text      string
	Status    string
	PostID    data.ID // of the thread

	communityID data.ID
	tags, key   string
}

// URL is the address of the post or comment.
func (t *Thing) URL() string {
	return (&modlog.Outcome{Target: t.ID, Community: t.Community, Slug: t.Slug}).URL()
}

// NothingToErase reports whether there is nothing to erase: it does not exist, or it is a draft, which only its author can see.
func (t *Thing) NothingToErase() bool {
	return t.ID == 0 || t.Status == "draft" || t.Status == "scheduled"
}

const (
	// Primary keys.
	postToErase = `SELECT p.id, p.community_name, p.author_id, p.slug, p.title, coalesce(t.text, ''), p.status, p.id, p.community_id, p.tags,
  iif(p.link_key = '', 'post:' || p.id, p.link_key)
FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = :id`
	commentToErase = `SELECT c.id, p.community_name, c.author_id, p.slug, '', c.body, c.status, p.id, p.community_id, '', ''
FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.id = :id`
)

// Find reads along with a page the thing to erase. Only administrators may see it.
func (s *Store) Find(r *data.Read, id data.ID) *Thing {
	t := &Thing{}
	sql := postToErase
	if id.IsComment() {
		sql = commentToErase
	}
	r.FindAt(id, sql, data.Args{"id": id}, func(row *data.Row) {
		*t = Thing{ID: row.ID(), Community: row.Text(), Author: row.ID(), Slug: row.Text(), Title: row.Text(), Text: row.Text(),
			Status: row.Text(), PostID: row.ID(), communityID: row.ID(), tags: row.Text(), key: row.Text()}
		if t.Status == "deleted" {
			t.Title = ""
		}
	})
	return t
}

var (
	errNothing = &data.Error{Code: data.NotFound, Message: "There is no such post or comment here."}
	errGround  = data.Mistake("rule", "Please choose why it is erased.")
)

// permission says whether the actor may erase, and whether the ground is one of Grounds.
type permission struct {
	admin *data.Permission
	known bool
}

// check reads the permission in a transaction.
func check(w *data.Write, a data.Actor, ground string) permission {
	return permission{data.CheckAdmin(w, a), slices.Contains(Grounds, ground)}
}

// Err returns why nothing is erased: Unauthenticated, Forbidden (not an administrator), Invalid (no such ground). Call it after the
// transaction.
func (p permission) Err() error {
	if err := p.admin.Err(); err != nil {
		return err
	}
	if !p.known {
		return errGround
	}
	return nil
}

// copiesMax limits the crossposts of a post that one erasure reads.
const copiesMax = 1000

const (
	// Index posts_crossposts. A post that its author has deleted has no link_key any more.
	crosspostsOf = `SELECT x.id, x.title, x.slug FROM posts x WHERE x.crosspost_of = :id LIMIT :limit`
	// Index moderation_log_target.
	retitlings = `SELECT l.note FROM moderation_log l WHERE l.target_id = :id AND l.action = 'title' AND l.note <> ''`
	// Primary key. It becomes a draft, which its author can edit under another title.
	withdraw = `UPDATE posts SET title = '` + data.DeletedTitle + `', words = '', slug = :slug, status = 'draft', publish_at = NULL, held = 0
WHERE id = :id AND status IN ('draft', 'scheduled')`
)

// Erase erases a post or comment on one of Grounds. It may be repeated. Invalid (no such ground), Unauthenticated, Forbidden (not an
// administrator), NotFound, Unavailable: a repetition erases the rest.
func (s *Store) Erase(ctx context.Context, a data.Actor, id data.ID, ground string) (*Thing, error) {
	w := s.DB.Write()
	may := check(w, a, ground)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := may.Err(); err != nil {
		return nil, err
	}
	r := s.DB.Read()
	t := s.Find(r, id)
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	if t.NothingToErase() {
		return nil, errNothing
	}
	if err := s.eraseCrossposts(ctx, a, t, ground); err != nil {
		return nil, err
	}
	if err := s.eraseQuotations(ctx, t); err != nil {
		return nil, err
	}
	if err := s.eraseMail(ctx, t); err != nil {
		return nil, err
	}
	if err := s.eraseThing(ctx, a, t, ground); err != nil {
		return nil, err
	}
	if !id.IsComment() {
		if err := s.Posts.UpdateCopies(ctx, []data.ID{id}); err != nil {
			return nil, err
		}
	}
	return t, s.forgetNow(ctx, id)
}

// eraseCrossposts erases the crossposts of a post with its title or a former one: crossposts keep the title of their creation. Of a post
// that its author has deleted only the address is left, for Kept, so its crossposts are found by the words in their addresses. Unpublished
// crossposts only lose their titles.
func (s *Store) eraseCrossposts(ctx context.Context, a data.Actor, t *Thing, ground string) error {
	if t.ID.IsComment() {
		return nil
	}
	type copied struct {
		id          data.ID
		title, slug string
	}
	var copies []copied
	titles := []string{t.Title}
	r := s.DB.Read()
	r.FindAt(t.ID, retitlings, data.Args{"id": t.ID}, func(row *data.Row) { titles = append(titles, titlesIn(row.Text())...) })
	r.FindAll(crosspostsOf, data.Args{"id": t.ID, "limit": copiesMax}, func(row *data.Row) {
		x := copied{row.ID(), row.Text(), row.Text()}
		if !slices.ContainsFunc(copies, func(other copied) bool { return other.id == x.id }) { // while its community moves, it is on two shards
			copies = append(copies, x)
		}
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	var same []*Thing
	r = s.DB.Read()
	for _, x := range copies {
		// The address has the words of the first title. A short address may have another source (posts.Slug).
		if slices.ContainsFunc(titles, func(title string) bool { return Quotes(x.title, title) }) ||
			len(wordsOf(t.Slug)) >= quotedWords && Quotes(x.slug, t.Slug) {
			same = append(same, s.Find(r, x.id))
		}
	}
	if len(same) == 0 {
		return nil
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	for _, x := range same {
		if err := s.eraseCrosspost(ctx, a, x, ground); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) eraseCrosspost(ctx context.Context, a data.Actor, x *Thing, ground string) error {
	if x.NothingToErase() {
		w := s.DB.WriteAt(x.ID)
		w.Do(withdraw, data.Args{"id": x.ID, "slug": x.ID.Text()})
		return w.Run(ctx)
	}
	if err := s.eraseThing(ctx, a, x, ground); err != nil {
		return err
	}
	return s.forgetNow(ctx, x.ID)
}

// titlesIn returns the two titles in the note of an entry about a changed title (data/moderation/title.go).
func titlesIn(note string) []string {
	before, after, _ := strings.Cut(note, "” → “")
	after, _, _ = strings.Cut(after, "” · ")
	return []string{before, after}
}

// erased is the condition that the transaction, or an earlier attempt, has added the entry :entry of the log.
const erased = `EXISTS (SELECT 1 FROM moderation_log e WHERE e.id = :entry)`

var (
	// Only administrators. A shard other than the directory does not know them, and gets :allowed. Primary keys.
	mayErase = `(:allowed OR ` + data.ByAdmin + `) AND ` + data.LiveSession
	logPost  = modlog.Insert(modlog.Values{ID: ":entry", Community: "p.community_id", Action: "'erase'", Target: "p.id", Author: "p.author_id",
		Rule: ":rule"}, `FROM posts p WHERE p.id = :id AND p.status NOT IN ('draft', 'scheduled') AND `+mayErase)
	logComment = modlog.Insert(modlog.Values{ID: ":entry", Community: "p.community_id", Action: "'erase'", Target: "c.id",
		Author: "c.author_id", Rule: ":rule"}, `FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.id = :id AND `+mayErase)
)

const (
	// All by primary keys; previews by index posts_same, crossposts as well. The preview of a page stays while another post shows it.
	erasePreview = `DELETE FROM link_previews WHERE url = (SELECT p.link FROM posts p WHERE p.id = :id AND p.link <> ''
  AND NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key <> '' AND o.link_key = p.link_key AND o.link = p.link AND o.id <> p.id))
  AND ` + erased
	eraseCopies = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', '` + data.DeletedTitle + `', '$.slug', '', '$.author', '',
  '$.link', '')
WHERE link_key <> '' AND link_key = :key AND crosspost_of = :id AND ` + erased
	// The post is then as if its author had deleted it, which all pages support.
	erasePost = `UPDATE posts SET status = 'deleted', title = '` + data.DeletedTitle + `', words = '', author_avatar = '', link = '',
  image = '', domain = '', excerpt = '', auto_reply = '', link_key = iif(:several, iif(link_key = '', 'post:' || id, link_key), ''),
  crosspost_of = NULL, crosspost = NULL, flair_id = NULL, tags = '', pictures = ''
WHERE id = :id AND ` + erased
	eraseText    = `DELETE FROM post_texts WHERE post_id = :id AND ` + erased
	eraseComment = `UPDATE comments SET status = 'deleted', body = '', words = '', body_html = '', author_avatar = '', auto_reply = '',
  pictures = ''
WHERE id = :id AND ` + erased
	eraseNames = `DELETE FROM mentions WHERE subject_id = :id AND ` + erased
	// Tags and combinations that no other post has. Unique index on name, primary key of post_tags.
	eraseTags = `DELETE FROM tag_keys WHERE name IN (SELECT value FROM json_each(:tags)) AND posts = 0
  AND NOT EXISTS (SELECT 1 FROM post_tags t WHERE t.key_id = tag_keys.id) AND ` + erased
)

// eraseThing is step 2: it erases the thing itself, on its shard, and enqueues step 3.
func (s *Store) eraseThing(ctx context.Context, a data.Actor, t *Thing, ground string) error {
	home := data.At(t.ID)
	w := s.DB.WriteAt(home)
	w.ChangeListings()
	entry := s.Source.NewID(t.ID.Slot(), data.KindOther)
	args := func() data.Args { return data.Args{"id": t.ID, "entry": entry} }
	sql := logPost
	if t.ID.IsComment() {
		sql = logComment
	}
	w.Do(sql, a.Args(data.Args{"id": t.ID, "entry": entry, "rule": ground, "name": a.Name, "allowed": !s.DB.InDirectory(home)}))
	w.Do(eraseNames, args())
	if t.ID.IsComment() {
		w.Do(eraseComment, args())
		w.Do(comments.RankQuestions, data.Args{"targets": []data.ID{t.ID}})
	} else {
		w.Do(erasePreview, args())
		w.Do(eraseCopies, data.Args{"id": t.ID, "entry": entry, "key": t.key})
		w.Do(erasePost, data.Args{"id": t.ID, "entry": entry, "several": s.DB.Several()})
		w.Do(eraseText, args())
		w.Do(eraseTags, data.Args{"entry": entry, "tags": combinations(t.tags)})
	}
	modlog.Follow(w, modlog.Erase, entry)
	outbox.EnqueueDecided(w, s.Source, outbox.JobUpdate, []data.ID{entry}, func(id data.ID) { w.EnqueueApply(id) })
	outbox.EnqueueDecided(w, s.Source, outbox.JobForget, []data.ID{entry})
	search.RequestPurge(w, t.ID.IsComment())
	return w.RunAs(ctx, a)
}

// combinations returns the names that the trigger post_tags_made makes from a post's tags, and from two or three of them.
func combinations(tags string) []string {
	list := []string{}
	each := append([]string{""}, strings.Fields(tags)...)
	for c := 1; c < len(each); c++ {
		for b := range c {
			for a := range max(b, 1) {
				list = append(list, strings.TrimSpace(strings.TrimSpace(each[a]+" "+each[b])+" "+each[c]))
			}
		}
	}
	return list
}

// forgetNow runs step 3 for the first time.
func (s *Store) forgetNow(ctx context.Context, id data.ID) error {
	_, err := s.Forget(ctx, []data.ID{id})
	return err
}
