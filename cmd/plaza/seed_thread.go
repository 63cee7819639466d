package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"plaza/cmd/plaza/samplethread"
	"plaza/data"
	"plaza/data/content/posts"
	"plaza/ops/backup"
	"plaza/render/markdown"
)

const (
	// The first members are the authors.
	threadAuthors   = `SELECT id, username FROM users WHERE status = 'active' ORDER BY id LIMIT 500`
	threadCommunity = `SELECT id, name FROM communities WHERE name_key = lower(:name) OR :name = '' ORDER BY id LIMIT 1`
	threadExists    = `SELECT 1 FROM posts WHERE community_id = :community AND slug = :slug`
)

// seedThread creates one thread of any size, with correct counters.
func seedThread(ctx context.Context, env *environment, site backup.Site, comments int, seed uint64, community string,
	mayWrite func(context.Context) error) error {
	o := samplethread.Options{Comments: comments, Seed: seed, Now: time.Now(), Title: fmt.Sprintf("A thread of %s comments",
		thousands(comments))}
	db := siteDB(site)
	r := db.Read()
	r.Find(threadCommunity, data.Args{"name": community}, func(row *data.Row) { o.Community, o.Name = row.ID(), row.Text() })
	r.Find(threadAuthors, nil, func(row *data.Row) {
		o.Authors = append(o.Authors, samplethread.Author{ID: row.ID(), Name: row.Text()})
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if o.Community == 0 {
		return errors.New("there is no such community: import some posts first, or name another one")
	}
	home, err := db.Locate(ctx, o.Community)
	if data.ErrorCode(err) == data.NotFound {
		return fmt.Errorf("c/%s is on a shard of which no address was given", o.Name)
	} else if err != nil {
		return err
	}
	if len(o.Authors) == 0 {
		return errors.New("there is nobody to write it: make the demo members first, with plaza seed")
	}
	o.Slug = posts.SlugConflict(posts.Slug(o.Title), uint32(seed))
	exists := false
	r = db.Read()
	r.FindAt(home, threadExists, data.Args{"community": o.Community, "slug": o.Slug}, func(*data.Row) { exists = true })
	if err := r.Run(ctx); err != nil {
		return err
	} else if exists {
		return errors.New("this thread is there already: another --seed makes another one")
	}
	shard := site.Shards[home.Shard()]
	o.Text = func(rng *rand.Rand, _ bool) (text, html string) {
		said := threads[rng.IntN(len(threads))].comments
		text = said[rng.IntN(len(said))].text
		rendered, err := markdown.Render(text, data.CommentHTMLMax)
		if err != nil {
			return "", ""
		}
		return text, string(rendered)
	}
	bar := newBar(env.err, "comments")
	defer bar.close()
	began := time.Now()
	rate := func(done int) string { return thousands(int(float64(done)/time.Since(began).Seconds())) + "/s" }
	bar.update(0, int64(comments), "preparing")
	t := samplethread.Make(o)
	if err := t.Write(ctx, shard, func(done int) error {
		bar.update(int64(done), int64(comments),
			thousands(done)+", "+rate(done))
		return mayWrite(ctx)
	}); err != nil {
		if errors.Is(err, samplethread.ErrOrphans) {
			return fmt.Errorf("%w\nNobody sees them. Once plaza shards says that no move goes on, delete them in all databases: "+
				"DELETE FROM comments WHERE post_id = %d", err, int64(t.Post))
		}
		if strings.Contains(err.Error(), data.SlotFrozen) {
			err = errMoves
		}
		return err
	}
	if err := t.Index(ctx, shard, mayWrite); errors.Is(err, errMoves) || errors.Is(err, errMoved) {
		return fmt.Errorf("a community moves to another shard. The thread is there, at %s, but not all of its comments can be searched for: "+
			"once plaza shards says that the move is done, run plaza verify --repair", t.URL())
	} else if err != nil {
		return err
	}
	bar.close()
	fmt.Fprintf(env.out, "Made a thread of %s comments in %s (%s): %s\n", thousands(comments), time.Since(began).Round(100*time.Millisecond),
		rate(comments), t.URL())
	return nil
}
