package accounts

import (
	"context"
	"encoding/json"
	"errors"

	"plaza/data"
	"plaza/data/events/outbox"
)

// schema.sql says "copy" at each column that has a copy of a member's name or avatar. When one of them changes, CopyNames writes the new
// value into each, in every database, a few rows in a transaction.

const (
	// copyStep is how many rows of each kind one transaction writes.
	copyStep = 500
	// copySteps is how many transactions of one call may leave rows in their database for another. Others don't count, so that a call can
	// visit any number of databases with few rows.
	copySteps = 12
)

const renamingUser = `SELECT username, renaming, avatar, repainting, revision FROM users WHERE id = :member`

// These run first, in every database: from then on no new row has the old name (data.NameNow). Primary keys, and the indexes
// moderators_user, quarantines_decider, bans_user and moderation_log_actor.
const (
	nameThere       = `INSERT INTO names (user_id, name) VALUES (:member, :name) ON CONFLICT (user_id) DO UPDATE SET name = excluded.name`
	nameOfModerator = `UPDATE moderators SET username = :name WHERE user_id = :member AND username <> :name`
	nameOfDecider   = `UPDATE quarantines SET decided_name = :name WHERE decided_by = :member AND decided_name <> '' AND decided_name <> :name`
	nameOfBanned    = `UPDATE bans SET username = :name WHERE user_id = :member AND username <> :name`
	nameInLog       = `UPDATE moderation_log SET actor_name = :name WHERE actor_id = :member AND actor_name <> '' AND actor_name <> :name`
)

// The rest runs in steps. A step finds only rows with the old name, so it needs no cursor.
const (
	// Indexes posts_author and posts_gone. The keys are the keys of the posts' crossposts.
	postsToName = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_name = :former COLLATE NOCASE AND p.author_id = :member AND p.status = 'published' AND p.author_name <> :name LIMIT :step`
	unlistedToName = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key) FROM posts p
WHERE p.author_id = :member AND p.status <> 'published' AND p.author_name <> '' AND p.author_name <> :name LIMIT :step`
	// Index posts_same.
	nameOfOriginals = `UPDATE posts SET crosspost = json_set(crosspost, '$.author', :name)
WHERE link_key IN (SELECT value FROM json_each(:keys)) AND link_key <> '' AND crosspost_of IN (SELECT value FROM json_each(:posts))
  AND crosspost ->> '$.author' <> ''`
	// A post may have lost its author's name since it was read.
	nameOfPosts = `UPDATE posts SET author_name = :name WHERE id IN (SELECT value FROM json_each(:posts)) AND author_id = :member
  AND author_name <> ''`
	// A delta run copies the name into a row of karma from a post or comment, perhaps before that got the new name.
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
	// It also runs first, in every database: from then on new rows have the avatar (data.AvatarNow), and the steps read it there. So an
	// attempt that began before a later change does not restore the older avatar.
	avatarThere = `INSERT INTO avatars (user_id, avatar, revision) VALUES (:member, :avatar, :revision)` + newerAvatar
	newerAvatar = ` ON CONFLICT (user_id) DO UPDATE SET avatar = excluded.avatar, revision = excluded.revision
  WHERE excluded.revision >= avatars.revision`
	currentAvatar = `coalesce((SELECT n.avatar FROM avatars n WHERE n.user_id = :member), '')`

	// A step finds only rows with another avatar. It finds comments by the new name, which was copied before. Indexes posts_by, posts_gone,
	// comments_author and comments_gone.
	avatarOfPosts = `UPDATE posts SET author_avatar = ` + currentAvatar + ` WHERE id IN (
  SELECT p.id FROM posts p WHERE p.author_id = :member AND p.status = 'published' AND p.author_name <> '' AND p.author_avatar <> ` +
		currentAvatar + ` LIMIT :step)`
	avatarOfUnlistedPosts = `UPDATE posts SET author_avatar = ` + currentAvatar + ` WHERE id IN (
  SELECT p.id FROM posts p WHERE p.author_id = :member AND p.status <> 'published' AND p.author_name <> '' AND p.status <> 'deleted'
  AND p.author_avatar <> ` + currentAvatar + ` LIMIT :step)`
	avatarOfComments = `UPDATE comments SET author_avatar = ` + currentAvatar + ` WHERE id IN (
  SELECT c.id FROM comments c
  WHERE c.author_name = :name COLLATE NOCASE AND c.author_id = :member AND c.status = 'published' AND c.author_avatar <> ` + currentAvatar +
		` LIMIT :step)`
	avatarOfUnlisted = `UPDATE comments SET author_avatar = ` + currentAvatar + ` WHERE id IN (
  SELECT c.id FROM comments c WHERE c.author_id = :member AND c.status <> 'published' AND c.author_name <> '' AND c.status <> 'deleted'
  AND c.author_avatar <> ` + currentAvatar + ` LIMIT :step)`
)

// A member whose name or settings changed meanwhile is not done. The change has enqueued the job again.
const copiesDone = `UPDATE users SET renaming = '', repainting = 0 WHERE id = :member AND username = :name AND revision = :revision`

// CopyNames does the job outbox.JobRename for members: it updates the copies of their names and avatars. It may be stopped at any point
// and repeated. rest are the members who are not done; their messages are sent again. Unavailable.
func (s *Store) CopyNames(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	for n, member := range members {
		if n > 0 { // one member in a delivery
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
					outbox.Requeue(w, s.Source, member, outbox.JobRename)
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
	outbox.Done(w, member, outbox.JobRename, queued)
	return false, w.Run(ctx)
}

// nameFirst writes the name into a database's table of names, and into the tables with few rows of the member.
func nameFirst(w *data.Write, member data.ID, name string) {
	args := data.Args{"member": member, "name": name}
	for _, sql := range []string{nameThere, nameOfModerator, nameOfDecider, nameOfBanned, nameInLog} {
		w.Do(sql, args)
	}
}

// nameStep renames some posts and comments in a database. again reports that there may be more. It writes the crossposts of posts before
// the posts: if it stops in between, the next step finds the posts again.
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
		text, _ := json.Marshal(keys) // encoding texts can't fail
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

// avatarStep writes the avatar of some posts and comments in a database. again reports that there may be more.
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
