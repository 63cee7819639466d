package community_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
)

func TestCommunities(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	for i := range 30 {
		_, err := s.Sql.Directory.Tx(context.Background(), hrana.Stmt{SQL: `INSERT INTO communities (id, name, name_key, title, colour, members,
  growth, created_at)
VALUES (?1, ?2, ?2, ?2, '#b3261e', ?3, ?4, ?5)`, Args: []any{100 + i, fmt.Sprintf("place%02d", i), i / 2, 30 - i,
			1e12 + float64((i*7)%30)}})
		require.NoError(t, err)
	}
	names := regexp.MustCompile(`<h2><a href="/c/(\w+)">`)
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	for sort, first := range map[string]string{"": "place29", "?sort=growth": "place00", "?sort=new": "place17"} {
		t.Run("lists all, page by page, at /communities"+sort, func(t *testing.T) {
			seen := map[string]bool{}
			address := "/communities" + sort
			for pages := 1; ; pages++ {
				page := ann.Page(address)
				found := names.FindAllStringSubmatch(page, -1)
				require.Len(t, found, map[int]int{1: 25, 2: 5}[pages])
				if pages == 1 {
					require.Equal(t, first, found[0][1])
				}
				for _, m := range found {
					require.False(t, seen[m[1]], m[1])
					seen[m[1]] = true
				}
				more := next.FindStringSubmatch(page)
				if more == nil {
					require.Contains(t, page, "First page")
					break
				}
				address = strings.ReplaceAll(more[1], "&amp;", "&")
			}
			require.Len(t, seen, 30)
		})
	}
	t.Run("refuses another order and another order's cursor", func(t *testing.T) {
		require.Equal(t, http.StatusBadRequest, ann.Get("/communities.json?sort=x").Code)
		require.Equal(t, ann.Page("/communities.json"), ann.Page("/communities.json?sort=members"))
		require.Equal(t, http.StatusBadRequest, ann.Get("/communities?sort=new&after=M"+strings.Repeat("0", 25)+"1").Code)
	})
	t.Run("costs one request and the rows it shows", func(t *testing.T) {
		for _, sort := range []string{"", "?sort=growth", "?sort=new"} {
			r := httptest.NewRequest(http.MethodGet, "https://plaza.example/communities"+sort, nil)
			ctx, redisMeter := upstash.WithMeter(r.Context())
			ctx, sqlMeter := hrana.WithMeter(ctx)
			require.Equal(t, http.StatusOK, s.Visitor().Send(r.WithContext(ctx)).Code)
			require.Equal(t, 0, redisMeter.Requests())
			require.Equal(t, int64(1), sqlMeter.Requests())
			require.Equal(t, int64(26), sqlMeter.RowsRead())
		}
	})
}
