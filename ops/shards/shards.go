// Package shards reports how a site's content is distributed over its databases.
//
// The ids of a community's posts and comments have the number of its slot (data/id.go), and the slot is on a shard. New communities go to
// the shard with the least load (data/content/communities/place.go), so shards become equal as a site grows, and a new shard gets all new
// communities until it has its share.
package shards

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"plaza/data"
	"plaza/data/content/communities"
)

// Shard is the content of one shard.
type Shard struct {
	Number int
	communities.Load
	Communities, Profiles, Posts int64
	Comments, Votes              int64 // -1: not counted
	Next                         bool  // the next community may go there
}

const (
	contents = `SELECT count(*) FILTER (WHERE c.kind = 'community'), count(*) FILTER (WHERE c.kind = 'profile'), coalesce(sum(s.posts), 0)
FROM communities c LEFT JOIN community_stats s ON s.community_id = c.id WHERE (c.id >> 12) & 1023 IN (SELECT value FROM json_each(:slots))`
	// Each count reads a whole index.
	counts = `SELECT (SELECT count(*) FROM comments), (SELECT count(*) FROM votes)`
)

// Read reads the numbers of all shards. With count it also counts comments and votes, each of which is read. A shard that does not respond
// is in the list without numbers. Unavailable if no shard responds.
func Read(ctx context.Context, db *data.DB, source data.Source, count bool) ([]Shard, error) {
	loads, err := (&communities.Store{Base: data.Base{DB: db, Source: source}}).Loads(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.KnowSlots(ctx); err != nil {
		return nil, err
	}
	list := make([]Shard, len(loads))
	r := db.Read()
	for i, where := range db.Shards() {
		shard := &list[i]
		*shard = Shard{Number: where.Shard(), Load: loads[i], Comments: -1, Votes: -1}
		r.FindAt(where, contents, data.Args{"slots": db.SlotsOn([]data.Where{where})}, func(row *data.Row) {
			shard.Communities, shard.Profiles, shard.Posts = row.Int(), row.Int(), row.Int()
		})
		if count {
			r.FindAt(where, counts, nil, func(row *data.Row) { shard.Comments, shard.Votes = row.Int(), row.Int() })
		}
	}
	r.AllowMissing()
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	for _, where := range r.Missing() {
		list[where.Shard()].Available, loads[where.Shard()].Available = false, false
	}
	for _, i := range communities.LeastLoaded(loads) {
		list[i].Next = true
	}
	return list, nil
}

func Write(out io.Writer, list []Shard) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "shard\tMB\tcommunities\tprofiles\tposts\tcomments\tvotes\tcomments an hour\t")
	var next []string
	for _, s := range list {
		if !s.Available {
			fmt.Fprintf(w, "%d\tdoes not answer\t\n", s.Number)
			continue
		}
		fmt.Fprintf(w, "%d\t%.1f\t%d\t%d\t%d\t%s\t%s\t%.0f\t\n", s.Number, float64(s.Bytes)/(1<<20), s.Communities, s.Profiles, s.Posts,
			number(s.Comments), number(s.Votes), s.CommentsPerHour)
		if s.Next {
			next = append(next, fmt.Sprint(s.Number))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "The next community goes to shard %s.\n", strings.Join(next, " or "))
	return err
}

func number(n int64) string {
	if n < 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
