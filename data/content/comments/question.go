package comments

import (
	"plaza/data"
	"plaza/ranking"
)

// RankQuestions computes the Q&A rank (ranking.QARank) of comments that the post's author has answered: of those of :targets that have
// such an answer, and of those that a comment of :targets is such an answer to. What is held answers nothing yet. It is carried out in the
// transaction that changes the text, the status or the votes of :targets. The comments are found by primary key, the best answer by the
// index comments_answers.
var RankQuestions = `UPDATE comments SET qa = coalesce((SELECT ` + ranking.QARankSQL("comments.best", "length(comments.body)", "a.best",
	"length(a.body)") + `
  FROM comments a WHERE a.parent_id = comments.id AND a.op = 1 AND a.status = 'published' ORDER BY a.best DESC, length(a.body) DESC
  LIMIT 1), best)
WHERE id IN (SELECT q.id FROM json_each(:targets) j JOIN comments q ON q.id = j.value WHERE q.qa >= 1
  UNION ALL SELECT a.parent_id FROM json_each(:targets) j JOIN comments a ON a.id = j.value WHERE a.op = 1 AND a.held = 0)`

// rankQuestions is RankQuestions for one comment.
func rankQuestions(w *data.Write, id data.ID) {
	w.Do(RankQuestions, data.Args{"targets": []data.ID{id}})
}
