package accounts

import (
	"context"
	"encoding/json"
	"errors"

	"plaza/data"
	"plaza/data/delivery/outbox"
)

// Copies of a member's name, and of the avatar, stand wherever schema.sql says "copy". When one of them changes, CopyNames
// writes the new one into each, in every database, a few rows a transaction.

const (
	// copyStep is how many rows one transaction writes into, of each kind.
	copyStep = 500
	// copySteps is how many such transactions that leave more to do one call makes. Others don't count, so that it gets
	// past any number of databases without such rows.
	copySteps = 12
)

const renamingUser = `SELECT username, renaming, avatar, repainting, revision FROM users WHERE id = :member`

// These go first, in every database: from then on nothing that is written has the old name (data.NameNow). Primary keys,
// and the indexes moderators_user, quarantines_decider, bans_user and moderation_log_actor.
const (
	nameThere       = `INSERT INTO names (user_id, name) VALUES (:member, :name) ON CONFLICT (user_id) DO UPDATE SET name = excluded.name`
	nameOfModerator = `UPDATE moderators SET username = :name WHERE user_id = :member AND username <> :name`
	nameOfDecider   = `UPDATE quarantines SET decided_name = :name WHERE decided_by = :member AND decided_name <> '' AND decided_name <> :name`
	nameOfBanned    = `UPDATE bans SET username = :name WHERE user_id = :member AND username <> :name`
	nameInLog       = `UPDATE moderation_log SET actor_name = :name WHERE actor_id = :member AND actor_name <> '' AND actor_name <> :name`
)

// The rest goes in steps. What has the new name is not found again, so a step needs not know where the last one ended.
const (
	// Indexes posts_author and posts_gone. The keys are those that crossposts of the posts have.
	postsToName = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_name = :former COLLATE NOCASE AND p.author_id = :member AND p.status = 'published' AND p.author_name <> :name LIMIT :step`
	unlistedToName = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_id = :member AND p.status <> 'published' AND p.author_name <> '' AND p.author_name <> :name LIMIT :step`
	// Index posts_same.
	nameOfOriginals = `UPDATE posts SET crosspost = json_set(crosspost, '$.author', :name)
WHERE link_key IN (SELECT value FROM json_each(:keys)) AND link_key <> '' AND crosspost_of IN (SELECT value FROM json_each(:posts))
  AND crosspost ->> '$.author' <> ''`
	// A post that was read with a name may have lost it since.
	nameOfPosts = `UPDATE posts SET author_name = :name WHERE id IN (SELECT value FROM json_each(:posts)) AND author_id = :member
  AND author_name <> ''`
	// Folding votes names a row of karma after what has earned it, and may have done so before the posts and comments got
	// the new name.
	nameOfKarma = `UPDATE author_karma SET name_key = lower(:name) WHERE author_id = :member AND name_key <> lower(:name)`
	// Indexes comments_author and comments_gone.
	nameOfComments = `UPDATE comments SET author_name = :name WHERE id IN (
  SELECT c.id FROM comments c
  WHERE c.author_name = :former COLLATE NOCASE AND c.author_id = :member AND c.status = 'published' AND c.author_name <> :name LIMIT :step)`
	nameOfUnlisted = `UPDATE comments SET author_name = :name WHERE id IN (
  SELECT c.id FROM comments c WHERE c.author_id = :member AND c.status <> 'published' AND c.author_name <> '' AND c.author_name <> :name
  LIMIT :step)`
)

const (
	// It goes first as well, in every database: from then on what is written has the avatar (data.AvatarNow), and the steps
	// take it from there. So a try that was begun before another change does not bring the older one back.
	avatarThere = `INSERT INTO avatars (user_id, avatar, revision) VALUES (:member, :avatar, :revision)` + newerAvatar
	newerAvatar = ` ON CONFLICT (user_id) DO UPDATE SET avatar = excluded.avatar, revision = excluded.revision
  WHERE excluded.revision >= avatars.revision`
	chosen = `coalesce((SELECT n.avatar FROM avatars n WHERE n.user_id = :member), '')`

	// What has the avatar is not found again. Comments are found by the name, which they have by then. Indexes posts_by,
	// posts_gone, comments_author and comments_gone.
	avatarOfPosts = `UPDATE posts SET author_avatar = ` + chosen + ` WHERE id IN (
  SELECT p.id FROM posts p WHERE p.author_id = :member AND p.status = 'published' AND p.author_name <> '' AND p.author_avatar <> ` +
		chosen + ` LIMIT :step)`
	avatarOfUnlistedPosts = `UPDATE posts SET author_avatar = ` + chosen + ` WHERE id IN (
  SELECT p.id FROM posts p WHERE p.author_id = :member AND p.status <> 'published' AND p.author_name <> '' AND p.status <> 'deleted'
  AND p.author_avatar <> ` + chosen + ` LIMIT :step)`
	avatarOfComments = `UPDATE comments SET author_avatar = ` + chosen + ` WHERE id IN (
  SELECT c.id FROM comments c
  WHERE c.author_name = :name COLLATE NOCASE AND c.author_id = :member AND c.status = 'published' AND c.author_avatar <> ` + chosen +
		` LIMIT :step)`
	avatarOfUnlisted = `UPDATE comments SET author_avatar = ` + chosen + ` WHERE id IN (
  SELECT c.id FROM comments c WHERE c.author_id = :member AND c.status <> 'published' AND c.author_name <> '' AND c.status <> 'deleted'
  AND c.author_avatar <> ` + chosen + ` LIMIT :step)`
)

// Whoever was renamed or changed the settings meanwhile is not done, and has left the work again.
const copiesDone = `UPDATE users SET renaming = '', repainting = 0 WHERE id = :member AND username = :name AND revision = :revision`

// CopyNames does the work outbox.WorkRename for members: copies of their names and avatars get the new ones. It may
// be ended at any point and repeated. rest are members of whom there is more to do, and whose messages are to be sent again.
// Unavailable.
func (s *Store) CopyNames(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	for n, member := range members {
		if n > 0 { // one a delivery
			rest = append(rest, member)
			continue
		}
		more, failed := s.copyName(ctx, member)
		if err = errors.Join(err, failed); more {
			rest = append(rest, member)
		}
	}
	return rest, err
}

// copyName is CopyNames for one member.
func (s *Store) copyName(ctx context.Context, member data.ID) (more bool, err error) {
	var queued, revision int64
	var name, former, avatar string
	var repainting bool
	w := s.DB.Write()
	outbox.ClaimRename(w, s.Source, member, &queued)
	w.Find(renamingUser, data.Args{"member": member}, func(row *data.Row) {
		name, former, avatar, repainting, revision = row.Text(), row.Text(), row.Text(), row.Bool(), row.Int()
	})
	if err := w.Run(ctx); err != nil || queued == 0 {
		return false, err
	}
	var kinds []func(where data.Where) (again bool, err error)
	if former != "" {
		kinds = append(kinds, func(where data.Where) (bool, error) { return s.nameStep(ctx, where, member, name, former) })
	}
	if repainting {
		kinds = append(kinds, func(where data.Where) (bool, error) { return s.avatarStep(ctx, where, member, name) })
	}
	all := s.DB.Databases()
	if len(kinds) > 0 {
		err = s.DB.WriteEach(ctx, all, func(w *data.Write) {
			if former != "" {
				nameFirst(w, member, name)
			}
			if repainting {
				w.Do(avatarThere, data.Args{"member": member, "avatar": avatar, "revision": revision})
			}
		})
	}
	if err != nil {
		return false, err
	}
	steps := copySteps
	for _, step := range kinds {
		for _, where := range all {
			for again := true; again; {
				if steps == 0 {
					w := s.DB.Write()
					outbox.Again(w, s.Source, member, outbox.WorkRename)
					return true, w.Run(ctx)
				}
				if again, err = step(where); err != nil {
					return false, err
				}
				if again {
					steps--
				}
			}
		}
	}
	w = s.DB.Write()
	w.Do(copiesDone, data.Args{"member": member, "name": name, "revision": revision})
	outbox.Done(w, member, outbox.WorkRename, queued)
	return false, w.Run(ctx)
}

// nameFirst writes the name into a database's table of names, and into what has few rows.
func nameFirst(w *data.Write, member data.ID, name string) {
	args := data.Args{"member": member, "name": name}
	for _, sql := range []string{nameThere, nameOfModerator, nameOfDecider, nameOfBanned, nameInLog} {
		w.Do(sql, args)
	}
}

// nameStep names some posts and comments in a database. again tells that there may be more. The crossposts of posts come
// before the posts: when it ends in between, the posts are found again.
func (s *Store) nameStep(ctx context.Context, where data.Where, member data.ID, name, former string) (again bool, err error) {
	posts, keys := []data.ID{}, []string{}
	r := s.DB.Read()
	scan := func(row *data.Row) { posts, keys = append(posts, row.ID()), append(keys, row.Text()) }
	r.FindAt(where, postsToName, data.Args{"member": member, "name": name, "former": former, "step": copyStep}, scan)
	r.FindAt(where, unlistedToName, data.Args{"member": member, "name": name, "step": copyStep}, scan)
	if err := r.Run(ctx); err != nil {
		return false, err
	}
	if len(keys) > 0 {
		text, _ := json.Marshal(keys) // texts can always be encoded
		args := data.Args{"name": name, "keys": string(text), "posts": posts}
		if err := s.DB.WriteEverywhere(ctx, func(w *data.Write) { w.Do(nameOfOriginals, args) }); err != nil {
			return false, err
		}
	}
	w := s.DB.WriteAt(where)
	w.Do(nameOfPosts, data.Args{"member": member, "name": name, "posts": posts})
	comments := w.Do(nameOfComments, data.Args{"member": member, "name": name, "former": former, "step": copyStep})
	unlisted := w.Do(nameOfUnlisted, data.Args{"member": member, "name": name, "step": copyStep})
	w.Do(nameOfKarma, data.Args{"member": member, "name": name})
	err = w.Run(ctx)
	return len(posts) >= copyStep || comments.Rows == copyStep || unlisted.Rows == copyStep, err
}

// avatarStep writes the avatar beside some posts and comments in a database. again tells that there may be more.
func (s *Store) avatarStep(ctx context.Context, where data.Where, member data.ID, name string) (again bool, err error) {
	var changes []*data.Change
	w := s.DB.WriteAt(where)
	for _, sql := range []string{avatarOfPosts, avatarOfUnlistedPosts, avatarOfUnlisted} {
		changes = append(changes, w.Do(sql, data.Args{"member": member, "step": copyStep}))
	}
	changes = append(changes, w.Do(avatarOfComments, data.Args{"member": member, "name": name, "step": copyStep}))
	err = w.Run(ctx)
	for _, c := range changes {
		again = again || c.Rows == copyStep
	}
	return again, err
}
