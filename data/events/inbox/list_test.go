package inbox_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// fill adds rows to a member's inbox, without notifications.
func (k *kit) fill(member data.Actor, from, n int) {
	k.Helper()
	k.Exec(`INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
SELECT ?1, iif(i % 1000 = 7, 'mention', iif(i % 3 = 0, 'reply', 'thread')), 2 * i + 1, i % 50 * 2, 'gophers', 'p' || (i % 50), 'Post', ?1,
  'words', ?4 FROM n`,
		int64(member.UserID), from, from+n-1, k.Clock.UnixMilli())
}

func TestPages(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 500)
	k.fill(bob, 501, 10)
	_, err := k.inbox.MarkRead(storetest.Ctx, ann, inbox.Selection{Thread: 4, Newest: 1 << 40})
	require.NoError(t, err)
	for list, condition := range map[data.Order]string{inbox.ListAll: "1", inbox.ListUnread: "unread = 1",
		inbox.ListReplies: "kind = 'reply'", inbox.ListMentions: "kind = 'mention'"} {
		var want, got []data.ID
		for _, row := range k.Rows("SELECT id FROM inbox WHERE user_id = ?1 AND "+condition+" ORDER BY id DESC", int64(ann.UserID)) {
			want = append(want, data.ID(row[0].(int64)))
		}
		for after := (data.Cursor{}); ; {
			p := k.page(ann, list, after, 7)
			for _, i := range p.Items() {
				got = append(got, i.ID)
			}
			next, err := data.ParseCursor(byte(list), p.Next().String())
			require.NoError(t, err)
			if after = next; after.IsZero() {
				break
			}
			if len(got) == 14 { // the member reads and others write between two pages
				k.fill(ann, 1000+int(list)*10, 3)
			}
		}
		require.Equal(t, want, got, string(list))
	}
	require.True(t, slices.IsSortedFunc(k.page(ann, inbox.ListAll, data.Cursor{}, 30).Items(),
		func(a, b *inbox.Item) int { return int(b.ID - a.ID) }))
}

// TestRowsRead limits the rows that pages and the consumer read to what they show and write, at 100,000 rows.
func TestRowsRead(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	deep := data.Cursor{Order: byte(inbox.ListAll), ID: 50}
	rows := func() map[string]int64 {
		got := map[string]int64{}
		for name, list := range map[string]data.Order{"all": inbox.ListAll, "unread": inbox.ListUnread, "replies": inbox.ListReplies,
			"mentions": inbox.ListMentions} {
			metered, meter := k.Metered()
			r := k.DB.Read()
			k.inbox.Find(r, ann.UserID, list, data.Cursor{}, 30)
			require.NoError(t, r.Run(metered))
			got[name] = meter.RowsRead()
		}
		metered, meter := k.Metered()
		r := k.DB.Read()
		k.inbox.Find(r, ann.UserID, inbox.ListAll, deep, 30)
		require.NoError(t, r.Run(metered))
		got["all, deep"] = meter.RowsRead()

		c := k.Comment(bob, post.ID, 0, "hello")
		metered, meter = k.Metered()
		news, _, err := k.inbox.Claim(metered, outbox.JobNotify, []data.ID{c.ID})
		require.NoError(t, err)
		require.NoError(t, k.inbox.Notify(metered, news))
		got["notifying"], got["notifying, written"] = meter.RowsRead(), meter.RowsWritten()

		metered, meter = k.Metered()
		_, err = k.inbox.MarkRead(metered, ann, inbox.Selection{Subject: c.ID})
		require.NoError(t, err)
		got["reading one"] = meter.RowsRead()
		return got
	}
	k.fill(ann, 1, 31000)
	small := rows()
	k.fill(ann, 50000, 69000)
	large := rows()
	for name := range small {
		require.LessOrEqual(t, large[name], small[name]+12, name)
		require.LessOrEqual(t, large[name], int64(160), name)
	}
	t.Logf("%v at 31,000 rows\n%v at 100,000", small, large)
}
