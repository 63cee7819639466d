//go:build deps

package plaza

import (
	_ "github.com/alicebob/miniredis/v2"
	_ "github.com/stretchr/testify/require"
	_ "github.com/syumai/workers"
	_ "github.com/tursodatabase/libsql-client-go/libsql"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/crypto/argon2"
	_ "golang.org/x/net/html"
	_ "golang.org/x/text/unicode/norm"
	_ "honnef.co/go/tools/staticcheck"
	_ "maragu.dev/gomponents"
	_ "pgregory.net/rapid"
	_ "github.com/redis/go-redis/v9"
	_ "golang.org/x/sync/errgroup"
	_ "github.com/mozillazg/go-unidecode"
)
