package stacktest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/stack"
)

// Replicated is a primary with a replica, both real, for one test. Requests go through proxies, which count them and can fail. Link is the
// way on which the replica gets the changes.
type Replicated struct {
	Primary, Replica *stack.FaultProxy
	Link             *stack.Link
	Server           *stack.SQLD // the replica
	Token            string
}

// OpenReplicated starts both. The database is empty.
func OpenReplicated(t testing.TB) *Replicated {
	t.Helper()
	dir := t.TempDir()
	primary, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: dir, Replicated: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = primary.Close() })
	link, err := stack.StartLink(primary.GRPC)
	require.NoError(t, err)
	t.Cleanup(func() { _ = link.Close() })
	replica, err := stack.StartReplica(t.Context(), dir, link.URL, stack.SQLDOptions{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = replica.Close() })
	// With its first request the replica opens the database. Until it has what the primary had at that time, it passes requests on to the
	// primary: here, nothing.
	_, err = hrana.New(hrana.Options{URL: replica.URL, Token: primary.Token}).Query(t.Context(), hrana.Stmt{SQL: "SELECT 1"})
	require.NoError(t, err)
	r := &Replicated{Link: link, Server: replica, Token: primary.Token}
	for url, proxy := range map[string]**stack.FaultProxy{primary.URL: &r.Primary, replica.URL: &r.Replica} {
		*proxy, err = stack.StartFaultProxy(url)
		require.NoError(t, err)
		t.Cleanup(func() { _ = (*proxy).Close() })
	}
	return r
}

// Client returns the client of another instance. It knows nothing of the database yet.
func (r *Replicated) Client() *hrana.Client {
	return hrana.New(hrana.Options{URL: r.Primary.URL, Replica: r.Replica.URL, Token: r.Token})
}

// CatchUp waits until the replica has all that the primary has.
func (r *Replicated) CatchUp(t testing.TB) {
	t.Helper()
	c := r.Client()
	_, err := c.Query(t.Context(), hrana.Stmt{SQL: "SELECT 1"})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, lag, err := c.QueryReplica(hrana.WithReader(t.Context(), &hrana.Reader{}), time.Time{}, hrana.Stmt{SQL: "SELECT 1"})
		return err == nil && lag > 0
	}, time.Minute, 10*time.Millisecond, "the replica does not catch up")
}

// Asked returns how many requests the primary and the replica got since the last call.
func (r *Replicated) Asked(t testing.TB) (primary, replica int) {
	t.Helper()
	primary, replica = r.Primary.Counts().Requests, r.Replica.Counts().Requests
	for _, p := range []*stack.FaultProxy{r.Primary, r.Replica} {
		require.NoError(t, p.Set(p.Counts().Fault))
	}
	return primary, replica
}
