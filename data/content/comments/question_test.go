package comments_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ranking"
	"plaza/test/storetest"
)

// A question's Q&A rank is correct at once after a reply, an edit or a deletion of the question or the reply. The delta run keeps it
// correct.
func TestQuestionsAreRankedAtOnce(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "Ask me")
	question := s.Comment(ben, p.ID, 0, "How?")
	s.ApplyAll()
	rank := func() any { return s.One("SELECT qa FROM comments WHERE id = ?1", int64(question.ID)) }
	// The question and each reply have their author's vote.
	want := func(text string, answers ...string) {
		t.Helper()
		list := make([]ranking.Answer, len(answers))
		for i, a := range answers {
			list[i] = ranking.Answer{Ups: 1, Length: utf8.RuneCountInString(a)}
		}
		require.Equal(t, ranking.QARank(1, 0, utf8.RuneCountInString(text), list...), rank())
	}
	edit := func(a data.Actor, id data.ID, text string) {
		t.Helper()
		_, err := s.Comments.Edit(storetest.Ctx, a, comments.Edit{ID: id, Body: text, BodyHTML: text})
		require.NoError(t, err)
	}
	want("How?")
	s.Comment(ben, p.ID, question.ID, "Nobody?")
	want("How?")
	answer := s.Comment(ann, p.ID, question.ID, "So.")
	want("How?", "So.")
	s.ApplyAll()
	want("How?", "So.")
	edit(ann, answer.ID, "Like this.")
	want("How?", "Like this.")
	edit(ben, question.ID, "How is it done?")
	want("How is it done?", "Like this.")
	_, err := s.Comments.Delete(storetest.Ctx, ben, question.ID)
	require.NoError(t, err)
	want("", "Like this.")
	_, err = s.Comments.Delete(storetest.Ctx, ann, answer.ID)
	require.NoError(t, err)
	want("")
}
