package setup

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDatabases(t *testing.T) {
	created := func(variables map[string]string) (replicas []bool, err error) {
		directory, shards, err := databases(Environment{Getenv: func(name string) string { return variables[name] }})
		if err != nil {
			return nil, err
		}
		replicas = append(replicas, directory.HasReplica())
		for _, s := range shards {
			replicas = append(replicas, s.HasReplica())
		}
		return replicas, nil
	}
	const directory, one, two, near = "http://d", "http://one", "http://two", "http://near"
	t.Run("without a replica none is asked", func(t *testing.T) {
		replicas, err := created(map[string]string{"LIBSQL_URL": directory, "LIBSQL_SHARD_URLS": one + ", " + two})
		require.NoError(t, err)
		assert.Equal(t, []bool{false, false, false}, replicas)
	})
	t.Run("each database has its own", func(t *testing.T) {
		replicas, err := created(map[string]string{"LIBSQL_URL": directory, "LIBSQL_REPLICA_URL": near,
			"LIBSQL_SHARD_URLS": one + "," + directory + "," + two, "LIBSQL_SHARD_REPLICA_URLS": ", ," + near})
		require.NoError(t, err)
		assert.Equal(t, []bool{true, false, true, true}, replicas)
	})
	t.Run("a place too few is refused", func(t *testing.T) {
		_, err := created(map[string]string{"LIBSQL_URL": directory, "LIBSQL_SHARD_URLS": one + "," + two, "LIBSQL_SHARD_REPLICA_URLS": near})
		assert.ErrorContains(t, err, "LIBSQL_SHARD_REPLICA_URLS")
	})
}
