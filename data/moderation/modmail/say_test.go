package modmail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/moderation/modmail"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestAMessageWhoseResponseGetsLost: its transaction is sent again after a moderator has replied, and the message is stored once.
func TestAMessageWhoseResponseGetsLost(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	mail := &modmail.Store{Base: s.Accounts.Base}
	at, err := mail.Begin(storetest.Ctx, ben, modmail.NewConversation{Community: "gophers", Subject: "Rules", Text: "Which one is it?"})
	require.NoError(t, err)

	requests := 0
	trouble := &storetest.Trouble{Plan: []storetest.Fault{storetest.Lose}, Hook: func() {
		if requests++; requests == 2 {
			require.NoError(t, mail.Say(storetest.Ctx, ann, at, "The first.", false))
		}
	}}
	far := &modmail.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Accounts.Source}}
	require.NoError(t, far.Say(storetest.With(storetest.Ctx, storetest.ToSQL, trouble), ben, at, "Please tell me.", false))
	require.Equal(t, 2, requests, "the transaction was sent again, and nothing else")
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM conversation_messages WHERE body = 'Please tell me.'"))
	require.Equal(t, "answered", s.One("SELECT status FROM conversations"), "by the last message")
}
