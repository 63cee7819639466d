package inbox

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Store keeps inboxes.
type Store struct {
	data.Base
	Factor int // a factor for MentionsOfOne and MentionsOfYoung; 0 is 1
}

const (
	// MentionsMax is how many members a post or comment can mention, including its edits.
	MentionsMax = 10
	// MentionsOfOne is how many mentions by the same author notify a member in a day.
	MentionsOfOne = 10
	// MentionsOfYoung is the same for authors whose account is younger than youngAge.
	MentionsOfYoung = 3

	youngAge = 7 * 24 * time.Hour
)

// News is a post or comment that members are notified of. The caller of Claim extracts Names and Excerpt from Body.
type News struct {
	Subject data.ID
	Body    string   // Markdown
	Names   []string // of members that Body mentions
	Excerpt string   // the first words of Body, plain

	post                   data.ID
	community, slug, title string
	author                 data.ID
	published              bool
	revision               int64
	repliedTo              data.ID  // the author of its parent; 0 for none
	mentioned              []string // keys of the names that it mentioned before
	back                   bool     // it was removed and approved more than once: it returns to inboxes as read, without a mail or push
	job                    outbox.Job
	queuedAt               int64
}

// removedTitle replaces the title of a removed post.
const removedTitle = "[removed by a moderator]"

const (
	title = `iif(p.status = 'removed', '` + removedTitle + `', p.title)`
	// removedOf and backTwice make a column: whether at least two removals of the text were undone. Index moderation_log_target.
	removedOf = `(SELECT count(*) FROM (SELECT 1 FROM moderation_log l WHERE l.action = 'remove' AND l.undone_by IS NOT NULL
  AND l.target_id = `
	backTwice      = ` LIMIT 2)) > 1`
	newsOfComments = `SELECT c.id, c.body, c.post_id, p.community_name, p.slug, ` + title +
		`, c.author_id, c.status = 'published', coalesce(c.edited_at, 0),
  iif(c.parent_id = 0, p.author_id, (SELECT a.author_id FROM comments a WHERE a.id = c.parent_id AND a.status = 'published')),
  (SELECT json_group_array(m.name_key) FROM mentions m WHERE m.subject_id = c.id), ` + removedOf + `c.id` + backTwice + `
FROM json_each(:subjects) j CROSS JOIN comments c ON c.id = j.value CROSS JOIN posts p ON p.id = c.post_id`
	newsOfPosts = `SELECT p.id, t.text, p.id, p.community_name, p.slug, ` + title +
		`, p.author_id, p.status IN ('published', 'archived'), coalesce(p.edited_at, 0), NULL,
  (SELECT json_group_array(m.name_key) FROM mentions m WHERE m.subject_id = p.id), ` + removedOf + `p.id` + backTwice + `
FROM json_each(:subjects) j CROSS JOIN posts p ON p.id = j.value LEFT JOIN post_texts t ON t.post_id = p.id`
)

func (n *News) scan(r *data.Row) {
	n.Subject, n.Body, n.post, n.community, n.slug, n.title = r.ID(), r.Text(), r.ID(), r.Text(), r.Text(), r.Text()
	n.author, n.published, n.revision, n.repliedTo = r.ID(), r.Bool(), r.Int(), r.ID()
	r.Fail(json.Unmarshal([]byte(r.Text()), &n.mentioned))
	n.back = r.Bool()
}

// Claim begins the job outbox.JobNotify or outbox.JobUpdate for posts and comments of any shards. It returns the news that no other
// call has claimed. missed are the ones on shards that could not be reached; then the error is Unavailable.
func (s *Store) Claim(ctx context.Context, job outbox.Job, subjects []data.ID) (all []*News, missed []data.ID, err error) {
	groups, err := s.DB.ByShard(ctx, subjects)
	if err != nil {
		return nil, subjects, err
	}
	err = s.DB.OnAll(func(shard data.Where) error {
		var posts, comments []data.ID
		for _, id := range groups[shard] {
			if id.IsComment() {
				comments = append(comments, id)
			} else {
				posts = append(posts, id)
			}
		}
		here := slices.Concat(posts, comments)
		if len(here) == 0 {
			return nil
		}
		claimed, found := map[data.ID]int64{}, []*News{}
		scan := func(r *data.Row) {
			n := &News{job: job}
			n.scan(r)
			found = append(found, n)
		}
		w := s.DB.WriteAt(shard)
		outbox.Claim(w, s.Source, job, here, func(c outbox.Claimed) { claimed[c.Subject] = c.QueuedAt })
		w.Find(newsOfPosts, data.Args{"subjects": posts}, scan)
		w.Find(newsOfComments, data.Args{"subjects": comments}, scan)
		if err := w.Run(ctx); err != nil {
			missed = append(missed, here...)
			return err
		}
		for _, n := range found {
			if at, ok := claimed[n.Subject]; ok {
				n.queuedAt = at
				all = append(all, n)
			}
		}
		return nil
	})
	return all, missed, err
}

// newNames returns the keys of the names that n mentions for the first time.
func (n *News) newNames() (keys []string) {
	for _, name := range n.Names {
		key := strings.ToLower(name)
		if len(n.mentioned)+len(keys) == MentionsMax {
			break
		}
		if !slices.Contains(n.mentioned, key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
