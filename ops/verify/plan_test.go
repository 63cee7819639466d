package verify_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/wiki"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/verify"
	"plaza/test/stacktest"
)

// planExceptions are the accepted scans of tables, with the reason.
var planExceptions = map[string]map[string]string{
	"countRows": {
		"SCAN posts USING COVERING INDEX sqlite_autoindex_posts_1": once, "SCAN comments USING COVERING INDEX comments_path": once,
		"SCAN users USING COVERING INDEX users_look": once, "SCAN communities USING COVERING INDEX sqlite_autoindex_communities_1": once,
		"SCAN idempotency_keys": once, "SCAN vote_deltas": once,
		"SCAN count_deltas": once, "SCAN quarantined_votes": once,
		"SCAN pictures USING COVERING INDEX pictures_large": once,
	},
	"pictureSum":       {"SCAN p USING COVERING INDEX pictures_large": once},
	"repairPictureSum": {"SCAN p USING COVERING INDEX pictures_large": once},
	"earnedBy":         {"SCAN p": noIndex, "SCAN c": noIndex, "SCAN k": once},
	"hottestOfSite":    {"SCAN p USING INDEX posts_site_hot": fromItsFront},
}

const (
	once         = "it counts all rows, once"
	noIndex      = "no index has what an author wrote by the author's id, and nothing else needs one"
	fromItsFront = "in the order of its key, and it stops at LIMIT"
)

var (
	planScan = regexp.MustCompile(`^SCAN (\w+)`)
	planFrom = regexp.MustCompile(`\b(?:FROM|JOIN|UPDATE)\s+(\w+)(?:\s+(?:AS\s+)?([a-z]\w*))?`)
)

// TestPlans has sqld explain every statement: none reads a whole table to find a page of it.
func TestPlans(t *testing.T) {
	client := stacktest.OpenSchema(t)
	tables := map[string]bool{}
	results, err := client.Query(ctx, hrana.Stmt{SQL: "SELECT name FROM sqlite_schema WHERE type = 'table'"})
	require.NoError(t, err)
	for _, row := range results[0].Rows() {
		tables[row[0].(string)] = true
	}
	unused := map[string]bool{}
	for name, lines := range planExceptions {
		for line := range lines {
			unused[name+": "+line] = true
		}
	}
	all := verify.Statements()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		stmt := hrana.Stmt{SQL: "EXPLAIN QUERY PLAN " + all[name]}
		for _, p := range schema.Parameters(all[name]) {
			stmt.Named = append(stmt.Named, hrana.Named{Name: p})
		}
		results, err := client.Query(ctx, stmt)
		require.NoError(t, err, "%s\n%s", name, all[name])
		ofTable := map[string]bool{}
		for _, m := range planFrom.FindAllStringSubmatch(all[name], -1) {
			if tables[m[1]] {
				ofTable[m[1]] = true
				if m[2] != "" {
					ofTable[m[2]] = true
				}
			}
		}
		for _, row := range results[0].Rows() {
			line := row[3].(string)
			m := planScan.FindStringSubmatch(line)
			if m == nil || !ofTable[m[1]] || strings.Contains(line, "VIRTUAL TABLE") {
				continue
			}
			if _, ok := planExceptions[name][line]; ok {
				delete(unused, name+": "+line)
				continue
			}
			t.Errorf("%s: %s\n%s", name, line, all[name])
		}
	}
	require.Empty(t, unused, "exceptions that no plan has")
}

// TestPagesOfCommunitiesFit: each is read with two texts, and a database returns 10 MB at most, in which a character may take six.
func TestPagesOfCommunitiesFit(t *testing.T) {
	require.Less(t, verify.WikiTogether*2*6*wiki.TextMax, 10_000_000)
}
