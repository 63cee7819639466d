package comments

import (
	"plaza/data"
	"plaza/ranking"
)

// QuestionRank returns the SQL of the Q&A rank (ranking.QARank) of a row of comments, using the best reply of the post's author, if there
// is one. best is the SQL of the row's rank in the order best. Index comments_answers.
func QuestionRank(row, best string) string {
	return `coalesce((SELECT ` + ranking.QARankSQL(best, "length("+row+".body)", "a.best", "length(a.body)") + `
  FROM comments a WHERE a.parent_id = ` + row + `.id AND a.op = 1 AND a.status = 'published' ORDER BY a.best DESC, length(a.body) DESC
  LIMIT 1), ` + best + `)`
}

// RankQuestions computes the Q&A rank of the comments of :targets to which the post's author has replied, and of the comments to which a
// comment of :targets is such a reply. A held comment does not count as a reply. It runs in the transaction that changes the text, the
// status or the votes of :targets, and writes only changed ranks. It finds the comments by primary key.
var RankQuestions = `UPDATE comments SET qa = n.qa FROM (
  SELECT q.id, ` + QuestionRank("q", "q.best") + ` AS qa FROM comments q
  WHERE q.id IN (SELECT q.id FROM json_each(:targets) j JOIN comments q ON q.id = j.value WHERE q.qa >= 1
    UNION ALL SELECT a.parent_id FROM json_each(:targets) j JOIN comments a ON a.id = j.value WHERE a.op = 1 AND a.held = 0)) n
WHERE comments.id = n.id AND comments.qa <> n.qa`

// rankQuestions is RankQuestions for one comment.
func rankQuestions(w *data.Write, id data.ID) {
	w.Do(RankQuestions, data.Args{"targets": []data.ID{id}})
}
