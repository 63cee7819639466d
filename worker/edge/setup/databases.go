package setup

import (
	"errors"
	"strings"

	"plaza/data/wire/hrana"
)

// databases makes the clients of the directory and of the thread shards. A shard may be the directory.
func databases(env Environment) (directory *hrana.Client, shards []*hrana.Client, err error) {
	client := func(url, replica string) *hrana.Client {
		return hrana.New(hrana.Options{URL: url, Replica: replica, Token: env.Getenv("LIBSQL_AUTH_TOKEN"), HTTP: env.Client, Sleep: env.Sleep})
	}
	address := env.Getenv("LIBSQL_URL")
	directory = client(address, env.Getenv("LIBSQL_REPLICA_URL"))
	urls := strings.FieldsFunc(env.Getenv("LIBSQL_SHARD_URLS"), func(r rune) bool { return r == ',' || r == ' ' })
	replicas := make([]string, len(urls))
	if text := env.Getenv("LIBSQL_SHARD_REPLICA_URLS"); text != "" {
		if replicas = strings.Split(text, ","); len(replicas) != len(urls) {
			return nil, nil, errors.New("LIBSQL_SHARD_REPLICA_URLS needs a place for each of LIBSQL_SHARD_URLS, empty for a shard without a replica")
		}
	}
	for i, url := range urls {
		if url == address {
			if strings.TrimSpace(replicas[i]) != "" {
				return nil, nil, errors.New("LIBSQL_SHARD_REPLICA_URLS has a replica for a shard that is the directory: LIBSQL_REPLICA_URL is for both")
			}
			shards = append(shards, directory)
			continue
		}
		shards = append(shards, client(url, strings.TrimSpace(replicas[i])))
	}
	return directory, shards, nil
}
