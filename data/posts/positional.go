package posts

import "plaza/data"

// Older names, and what statements use that count their parameters. All of this goes when no other package uses it.
const (
	PostColumns = Columns
	PostOwn     = Own
	PostOwnVote = OwnVote
	// PostMine is Own, of the viewer ?1.
	PostMine = `, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = ?1),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = p.id AND d.user_id = ?1),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = p.id), EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = p.id)`
	PostVote   = ` LEFT JOIN votes v ON v.target_id = p.id AND v.user_id = ?1`
	PostNobody = NothingOwn
)

// ScanPost is Post.Scan.
func ScanPost(r *data.Row, p *Post) { p.Scan(r) }
