package pictures

import (
	"math/bits"
	"strconv"
	"strings"

	"plaza/data"
)

// Distance is in how many bits the hashes of similar pictures differ at most.
const Distance = 6

// Similar tells whether two hashes are those of similar pictures.
func Similar(a, b int64) bool { return bits.OnesCount64(uint64(a^b)) <= Distance }

const (
	// quarters are what a hash is found by, of so many bits each.
	quarters    = 4
	quarterBits = 16
)

// oneApart is an array of the differences of a quarter that are tried: none, and each single bit.
var oneApart = func() string {
	list := []string{"0"}
	for bit := range quarterBits {
		list = append(list, strconv.Itoa(1<<bit))
	}
	return "[" + strings.Join(list, ",") + "]"
}()

// Alike is a subquery: the columns, separated by commas, of those rows x of a table whose hash is similar to one of the hashes in from, a
// table h with the column hash. Several columns need names. The table has indexes like pictures_like0 to 3.
//
// Of two hashes that differ in 6 bits at most, one of four quarters differs in one bit at most. So each quarter is looked up as it is and
// with each of its bits turned: 68 places of an index, with one row in 65,536 at each, if the hashes are spread evenly. (Norouzi, Punjani
// and Fleet, Fast Search in Hamming Space with Multi-Index Hashing, 2012.) Each row found is compared as a whole.
func Alike(columns, table, from string) string {
	branches := make([]string, quarters)
	for i := range branches {
		shift := strconv.Itoa((quarters - 1 - i) * quarterBits)
		quarter := `(h.hash >> ` + shift + ` & 65535)`
		branches[i] = columns + `, (x.hash | h.hash) - (x.hash & h.hash) AS differs FROM ` + from + ` h
  CROSS JOIN json_each('` + oneApart + `') o CROSS JOIN ` + table + ` x
  ON x.hash >> ` + shift + ` & 65535 = (` + quarter + ` | o.value) - (` + quarter + ` & o.value) WHERE x.hash IS NOT NULL`
	}
	return "(SELECT * FROM (SELECT " + strings.Join(branches, "\nUNION ALL SELECT ") + ") WHERE " + fewDiffer + ")"
}

// fewDiffer is a condition: few bits of the column differs are 1. SQLite has no operator that counts them.
var fewDiffer = func() string {
	var digits []string
	for shift := 0; shift < 64; shift += 4 {
		digits = append(digits, `substr('0112122312232334', (differs >> `+strconv.Itoa(shift)+` & 15) + 1, 1)`)
	}
	return strings.Join(digits, " + ") + ` <= ` + strconv.Itoa(Distance)
}()

var errBlocked = data.Mistake("pictures", "This picture, or one like it, was removed here. It must not be posted again.")

// blocked is a condition: a picture of a sum, or one that looks like one of the hashes in from, is blocked on the site or in the community
// :community. Index picture_blocks_sum, indexes as Alike says, unique index on name_key.
func blocked(sum, from string) string {
	of := `.community_id IN (0, coalesce((SELECT k.id FROM communities k WHERE k.name_key = :community), 0))`
	return `(EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = ` + sum + ` AND b` + of + `)
  OR EXISTS (SELECT 1 FROM ` + Alike("x.community_id", "picture_blocks", from) + ` a WHERE a` + of + `))`
}
