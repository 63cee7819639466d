package branches_test

import (
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ops/backup"
	"plaza/ops/backup/branches"
	"plaza/ops/setup/services"
	"plaza/test/servicestest"
)

// organization is an organization at Turso with databases of these names, each with a table of 5,000 rows. token is the first one's.
func organization(t *testing.T, names ...string) (w *servicestest.Services, turso *services.Turso, addresses []string, token string) {
	t.Helper()
	w = servicestest.NewServices(t)
	turso = services.NewTurso(w.Turso.URL, w.Turso.Token, http.DefaultClient)
	turso.Organization = w.Turso.Organization
	require.NoError(t, turso.CreateGroup(t.Context(), "default", "aws-eu-west-1"))
	for _, name := range names {
		created, err := turso.CreateDatabase(t.Context(), name, "default")
		require.NoError(t, err)
		addresses = append(addresses, "http://"+created.Hostname)
		_, err = real(w, name).Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"}, hrana.Stmt{SQL: `WITH RECURSIVE
n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t (a) SELECT hex(randomblob(20)) FROM n`})
		require.NoError(t, err)
	}
	token, err := turso.CreateToken(t.Context(), names[0], "never")
	require.NoError(t, err)
	return w, turso, addresses, token
}

// real is the database that imitates one of Turso's.
func real(w *servicestest.Services, name string) *hrana.Client {
	return hrana.New(hrana.Options{URL: w.Turso.Databases[name].Real})
}

func maker(turso *services.Turso) *branches.Maker {
	return &branches.Maker{Turso: turso, Wait: 10 * time.Second, Pause: 10 * time.Millisecond}
}

func names(w *servicestest.Services) []string { return slices.Sorted(maps.Keys(w.Turso.Databases)) }

func quiet(int64, int64, string) {}

// A server that ends long transactions makes a backup of the database itself fail, and not of its branch.
func TestAServerThatEndsTransactions(t *testing.T) {
	w, turso, addresses, token := organization(t, "plaza")
	w.Turso.StreamLife = time.Nanosecond
	itself := hrana.New(hrana.Options{URL: addresses[0], Token: token})
	_, err := backup.Write(t.Context(), filepath.Join(t.TempDir(), "itself"),
		backup.Site{Directory: itself, Shards: []*hrana.Client{itself}}, quiet)
	require.ErrorContains(t, err, "The stream has expired")

	created, err := maker(turso).Make(t.Context(), addresses)
	require.NoError(t, err)
	_, err = real(w, "plaza").Tx(t.Context(), hrana.Stmt{SQL: "DELETE FROM t WHERE id > 10"})
	require.NoError(t, err)
	branch := created.Clients[addresses[0]]
	m, err := backup.Write(t.Context(), filepath.Join(t.TempDir(), "branch"),
		backup.Site{Directory: branch, Shards: []*hrana.Client{branch}, Copied: created.Began}, quiet)
	require.NoError(t, err)
	require.EqualValues(t, 5000, m.Rows(), "the state when the branch was made")
	require.Equal(t, created.Began, m.Began)
	require.NoError(t, created.Delete(t.Context()))
	require.Equal(t, []string{"plaza"}, names(w))
}

// A restore has no transaction over two requests, also when it empties a database first.
func TestRestoreIntoAServerThatEndsTransactions(t *testing.T) {
	w, turso, _, _ := organization(t, "plaza")
	_, err := real(w, "plaza").Tx(t.Context(), hrana.Stmt{SQL: "CREATE INDEX t_a ON t (a)"},
		hrana.Stmt{SQL: "CREATE TABLE counted (n INTEGER)"}, hrana.Stmt{SQL: "CREATE VIEW seen AS SELECT id FROM t"},
		hrana.Stmt{SQL: "CREATE TRIGGER counts AFTER INSERT ON t BEGIN INSERT INTO counted VALUES (1); END"})
	require.NoError(t, err)
	from, dir := real(w, "plaza"), filepath.Join(t.TempDir(), "backup")
	m, err := backup.Write(t.Context(), dir, backup.Site{Directory: from, Shards: []*hrana.Client{from}}, quiet)
	require.NoError(t, err)

	w.Turso.StreamLife = time.Nanosecond
	created, err := turso.CreateDatabase(t.Context(), "again", "default")
	require.NoError(t, err)
	token, err := turso.CreateToken(t.Context(), "again", "never")
	require.NoError(t, err)
	to := hrana.New(hrana.Options{URL: "http://" + created.Hostname, Token: token})
	into := backup.Site{Directory: to, Shards: []*hrana.Client{to}}
	for _, overwrite := range []bool{false, true} {
		restored, err := backup.Restore(t.Context(), dir, into, backup.Options{Changed: true, Overwrite: overwrite}, quiet)
		require.NoError(t, err)
		require.Equal(t, m, restored)
	}
	objects, err := to.Query(t.Context(), hrana.Stmt{SQL: "SELECT name FROM sqlite_master ORDER BY name"})
	require.NoError(t, err)
	require.Equal(t, [][]any{{"counted"}, {"counts"}, {"seen"}, {"t"}, {"t_a"}}, objects[0].Rows())
	_, err = backup.Restore(t.Context(), dir, into, backup.Options{Changed: true}, quiet)
	require.ErrorIs(t, err, backup.ErrNotEmpty)
}

func TestMake(t *testing.T) {
	w, turso, addresses, _ := organization(t, "plaza", "plaza-1")
	name := func(age time.Duration) string {
		return "plaza-backup-" + time.Now().UTC().Add(-age).Format("20060102t150405") + "-0"
	}
	undeleted, recent := name(25*time.Hour), name(23*time.Hour)
	for _, name := range []string{undeleted, recent, "plaza-backup-of-mine"} {
		_, err := turso.CreateDatabase(t.Context(), name, "default")
		require.NoError(t, err)
	}
	created, err := maker(turso).Make(t.Context(), []string{addresses[1], addresses[0], addresses[1]})
	require.NoError(t, err)
	require.Len(t, names(w), 2+2+2, "a branch of each, and what an earlier backup has left behind a day ago is gone")
	require.NotContains(t, names(w), undeleted)
	require.NoError(t, created.Delete(t.Context()))
	require.NoError(t, created.Delete(t.Context()))
	rest := []string{"plaza", "plaza-1", recent, "plaza-backup-of-mine"}
	require.ElementsMatch(t, rest, names(w))

	t.Run("of a database without tables", func(t *testing.T) {
		bare, err := turso.CreateDatabase(t.Context(), "bare", "default")
		require.NoError(t, err)
		m := maker(turso)
		m.Wait = 50 * time.Millisecond
		created, err := m.Make(t.Context(), []string{"http://" + bare.Hostname})
		require.ErrorContains(t, err, "a copy of bare: it can't be read: it has no tables")
		require.NoError(t, created.Delete(t.Context()))
		require.NoError(t, turso.DeleteDatabase(t.Context(), "bare"))
	})
	t.Run("of a database that the organization does not have", func(t *testing.T) {
		created, err := maker(turso).Make(t.Context(), []string{addresses[0], "http://other.turso.io"})
		require.ErrorContains(t, err, "the organization example has no database at other.turso.io")
		require.Len(t, names(w), 5)
		require.NoError(t, created.Delete(t.Context()))
		require.ElementsMatch(t, rest, names(w))
	})
}
