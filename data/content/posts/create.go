package posts

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/data/searchwords"
	"plaza/protocol/weburl"
	"plaza/ranking"
)

// Create is the form for a new post. The caller renders TextHTML and Excerpt from Text.
type Create struct {
	Community   string
	Title       string
	Text        string
	Link        string
	Image       string
	Chosen      []pictures.Chosen
	Pictures    []pictures.Picture // the pictures of Chosen; publishing claims them
	NSFW        bool
	Spoiler     bool
	TextHTML    string
	Excerpt     string
	AllowRepost bool      // publishes the post even if its link was posted to the community recently
	CrosspostOf data.ID   // the original of a crosspost; 0 for none
	Status      Status    // Draft and Scheduled store it unpublished
	PublishAt   time.Time // when it is scheduled
	Flair       *data.ID  // 0 and nil are none; for a draft that is changed, nil keeps its flair
	Tags        string    // as typed
	Token       string    // of the form; the same form makes one post
	Judged      rules.Verdict
}

// chosen returns the choice of flair by the form and the rules. A draft is judged when it is published.
func (c *Create) chosen() flairChoice {
	if c.Status == Draft {
		return flairChoice{flair: c.Flair}
	}
	return flairChoice{c.Flair, true, c.Judged.Flair}
}

// slugTries limits how many slugs are tried; the last one ends in an id, so it is unique.
const slugTries = 5

// Create publishes a post with its author's own upvote, or stores it unpublished, in one transaction on the community's shard. It returns
// the id and the address. If the same form has made an equal post before, it returns that one. Invalid, NotFound (no such community, or
// no such original), Conflict (PostedBefore), AlreadySent (the same form has made another post), Forbidden (banned or muted) and
// Unauthenticated.
func (s *Store) Create(ctx context.Context, a data.Actor, c Create) (*Post, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	home, err := s.DB.Home(ctx, c.Community)
	if err != nil {
		return nil, err
	}
	slot, err := s.DB.Slot(ctx, c.Community)
	if err != nil {
		return nil, err
	}
	original, err := s.original(ctx, c.CrosspostOf)
	if err != nil {
		return nil, err
	}
	if err := s.createdElsewhere(ctx, home, a, c.Token); err != nil {
		return nil, err
	}
	plain := Slug(c.Title)
	slug := plain
	for try := 1; ; try++ {
		p, err := s.insert(ctx, home, slot, a, c, original, slug)
		if !data.IsTaken(err) {
			return p, err
		}
		if slug = SlugConflict(plain, s.Source.Rand()); try >= slugTries-1 {
			slug = plain + "-" + s.Source.NewID(0, data.KindPost).Text()
		}
		if try == slugTries {
			return nil, data.UnavailableBecause(err)
		}
	}
}

var (
	// Only the owner of a profile posts there. :beside is the original of a crosspost, if it is on this shard. The statement checks again
	// that the original is published, because its deletion updates only the crossposts that exist then. The author of the original may have
	// a new name by now. Indexes: the unique one on name_key, and posts_same.
	createPost = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, author_avatar, slug, kind, title, link, image,
  domain, excerpt, nsfw, spoiler, locked, hot, active, created_at, link_key, crosspost_of, crosspost, status, publish_at, held, flair_id,
  tags, pictures, ups, score, words)
SELECT :id, k.id, k.name, :actor, ` + data.NameNow(":author") + `, ` + data.AvatarNow +
		`, :slug, :kind, :title, :link, :image, :domain, :excerpt, :nsfw, :spoiler, :locked,
  :hot, :at, :at, :about, :original, json_set(:shown, '$.author', coalesce((SELECT n.name FROM names n
  WHERE n.user_id = :shown_author), :shown ->> '$.author')),
  :status, :publish_at, :held, coalesce(` + flair.OfRule("k.id") + `, ` + flair.Chosen("k.id") + `),
  :tags, :pictures, :ups, :ups, :words FROM communities k
WHERE k.name_key = :community AND (k.kind = 'community' OR k.creator_id = :actor) AND NOT ` + bans.BannedOrMuted("k.id") +
		` AND NOT (:publish AND ` + flair.OfRule("k.id") + ` IS NULL AND ` + flair.Refused("k.id") + `) AND ` + data.LiveSession +
		` AND (:anyway OR NOT EXISTS (SELECT 1 FROM posts o WHERE ` + postedHere + `))
  AND (:beside IS NULL OR EXISTS (SELECT 1 FROM posts x WHERE x.id = :beside AND x.status IN ('published', 'archived'))) AND ` + inTime +
		` AND ` + data.KeyUnused
	createPostText = `INSERT INTO post_texts (post_id, text, html, words) SELECT id, :text, :html, :words FROM posts WHERE id = :id
ON CONFLICT DO NOTHING`
	// The author's vote for a post that was published at :at, and not for one published before. A repetition does nothing.
	voteForPost = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, :at FROM posts
WHERE id = :id AND status = 'published' AND created_at = :at ON CONFLICT DO NOTHING`
	// The same for a post that is published from the start. Its counters include this vote already.
	voteForNew = `INSERT INTO votes (target_id, user_id, value, updated_at, automatic) SELECT id, author_id, 1, :at, 1 FROM posts
WHERE id = :id AND status = 'published' AND created_at = :at ON CONFLICT DO NOTHING`
	// Unique index on name_key, and primary keys.
	mayPost = `SELECT EXISTS (SELECT 1 FROM communities WHERE name_key = :community AND (kind = 'community' OR creator_id = :actor)), ` +
		data.LiveSession + `,
  ` + bans.Mine("(SELECT id FROM communities WHERE name_key = :community)") + `, ` +
		flair.OfRule("(SELECT id FROM communities WHERE name_key = :community)") + ` IS NULL AND ` +
		flair.Refused("(SELECT id FROM communities WHERE name_key = :community)")
)

// insert is one attempt of Create. data.IsTaken reports that another post has the slug. The trigger posts_published counts the post for
// its community.
func (s *Store) insert(ctx context.Context, home data.Where, slot int, a data.Actor, c Create, original *Original,
	slug string) (*Post, error) {
	now, id, key := s.Source.Now(), s.Source.NewID(slot, data.KindPost), strings.ToLower(c.Community)
	args := data.Args{
		"community": key, "id": id, "author": a.Name, "slug": slug, "kind": c.kind(), "title": c.Title,
		"words": searchwords.Words(c.Title), "link": c.Link, "image": c.Image,
		"domain": weburl.Domain(c.address()), "excerpt": data.Line(c.Excerpt), "nsfw": c.NSFW || c.Judged.NSFW,
		"spoiler": c.Spoiler || c.Judged.Spoiler,
		"locked":  c.Judged.Locked, "hot": ranking.Hot(0, 0, now), "at": now,
		"about": weburl.Key(c.address()), "since": now.Add(-recentLink), "anyway": c.AllowRepost || c.Status != Published,
		"original": nil, "shown": nil, "shown_author": nil, "beside": nil, "status": c.status(), "publish_at": c.publishAt(), "held": c.held(),
		"now": s.Source.DatabaseNow(), "flair": c.chosen().id(), "publish": c.Status != Draft, "ruled": c.chosen().ruled, "tags": c.Tags,
		"pictures": pictures.Encode(c.Pictures), "ups": c.status() == "published",
	}
	refusal := errNotCreated
	if original != nil {
		args["about"], args["original"], args["shown"] = original.Key(), original.ID, original.json()
		if original.Author != "" {
			args["shown_author"] = original.authorID
		}
		if s.DB.Holds(home, original.ID) {
			args["beside"], refusal = original.ID, errNoOriginal
		}
	}
	form := formOf(a, c.Token)
	form.ID, form.Digest = id, c.digest()
	w := s.DB.WriteAt(data.In(key))
	w.ChangeListings()
	created := w.Once(form, now, createPost, a.Args(args))
	if c.Text != "" {
		w.Do(createPostText, data.Args{"id": id, "text": c.Text, "html": c.TextHTML, "words": searchwords.Words(c.Text)})
	}
	if c.Status != Draft { // it is judged when it is published
		c.Judged.Record(w, s.Source, id, c.Status == Scheduled)
	}
	w.Do(voteForNew, data.Args{"id": id, "at": now})
	outbox.EnqueueLinks(w, s.Source, []data.ID{id}, now)
	outbox.EnqueueNotifyPosts(w, s.Source, []data.ID{id}, now)
	outbox.EnqueueTimelines(w, s.Source, []data.ID{id}, now)
	p := &Post{}
	w.Find(createdPost, form.Args(nil), func(r *data.Row) {
		p.scanCreated(r)
		if c.Status == Published {
			w.EnqueueVoteDeltas(p.ID)
		}
	})
	var exists, live, refused bool
	var ban bans.Ban
	w.Find(mayPost, a.Args(data.Args{"community": key, "now": s.Source.DatabaseNow(), "flair": args["flair"], "ruled": args["ruled"]}),
		func(r *data.Row) {
			exists, live = r.Bool(), r.Bool()
			ban.Scan(r)
			refused = r.Bool()
		})
	var schedule scheduleCheck
	schedule.find(w, s.Source, &c)
	before := &PostedBefore{}
	w.Find(postedBefore, data.Args{"community": key, "about": args["about"], "since": args["since"], "id": id}, before.scan)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case !live:
		return nil, data.ErrSessionEnded
	case created.Other() || created.ID != 0 && p.Slug == "":
		return nil, errKeyReused(p)
	case created.ID != 0:
		return p, nil
	case !exists:
		return nil, data.ErrNoCommunity
	case ban.Err() != nil:
		return nil, ban.Err()
	case refused && c.Status != Draft:
		return nil, flair.Refusal(c.chosen().id())
	case schedule.Err() != nil:
		return nil, schedule.Err()
	case len(before.Posts) > 0:
		return nil, before.conflict()
	}
	return nil, refusal
}

// errNotCreated is returned when the reason for a refusal is gone already.
var errNotCreated = &data.Error{Code: data.Conflict, Message: "The post could not be saved. Please send it again."}
