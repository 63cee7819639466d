package search

// Imported comments are added to the index after the import, in the order of their ids, which costs far less than one by one. Until then,
// rows of search_due are the ranges of ids in which some may be missing. The triggers of comments still add what members write or change.
const (
	// FirstDue selects the first range that is due.
	FirstDue = `SELECT s.first_id, s.last_id FROM search_due s WHERE s.first_id > 0 ORDER BY s.first_id LIMIT 1`
	// DueComments selects how many comments there are from :first to :last, up to :limit, and the last of these.
	DueComments = `SELECT count(*), coalesce(max(x.id), 0) FROM (SELECT c.id FROM comments c WHERE c.id BETWEEN :first AND :last ORDER BY c.id
  LIMIT :limit) x`
	// FillComments adds the missing comments from :first to :last.
	FillComments = `INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM comment_words w
WHERE w.id BETWEEN :first AND :last AND NOT EXISTS (SELECT 1 FROM search_comments_docsize d WHERE d.id = w.id) ORDER BY w.id`
	// KeepDue and EndDue, in this order and in the transaction of FillComments, remove the ids up to :last from the ranges.
	KeepDue = `INSERT INTO search_due (first_id, last_id) SELECT :last + 1, m.last_id FROM (SELECT max(last_id) AS last_id FROM search_due
  WHERE first_id <= :last) m WHERE m.last_id > :last
ON CONFLICT (first_id) DO UPDATE SET last_id = max(last_id, excluded.last_id)`
	EndDue = `DELETE FROM search_due WHERE first_id <= :last`
	// AddDue adds a range.
	AddDue = `INSERT INTO search_due (first_id, last_id) VALUES (:first, :last) ON CONFLICT (first_id)
  DO UPDATE SET last_id = max(last_id, excluded.last_id)`
)
