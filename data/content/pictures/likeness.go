package pictures

import (
	"math/bits"
	"strconv"
	"strings"

	"plaza/data"
)

// Distance is the number of bits by which the hashes of similar pictures may differ.
const Distance = 6

// Similar reports whether two hashes belong to similar pictures.
func Similar(a, b int64) bool { return bits.OnesCount64(uint64(a^b)) <= Distance }

const (
	// quarters is the number of parts by which a hash is looked up, of quarterBits bits each.
	quarters    = 4
	quarterBits = 16
)

// flips is a JSON array of the bit patterns to flip in a quarter: none, and each single bit.
var flips = func() string {
	list := []string{"0"}
	for bit := range quarterBits {
		list = append(list, strconv.Itoa(1<<bit))
	}
	return "[" + strings.Join(list, ",") + "]"
}()

// SimilarRows returns a subquery with columns of the rows x of table whose x.hash is similar to the hash of a row of from, a table or
// subquery with a column hash. columns are separated by commas; several need names. The table needs indexes like pictures_like0 to
// pictures_like3. Use it only for lists that people review: the hashes come from browsers and may be false, so they must not decide
// anything.
//
// If two hashes differ in at most 6 bits, then at least one of their four quarters differs in at most one bit. So each quarter is looked
// up unchanged, and with each of its bits flipped: 68 look-ups in an index. Each finds one row in 65,536 if the hashes are spread evenly.
// (Norouzi, Punjani and Fleet, Fast Search in Hamming Space with Multi-Index Hashing, 2012.) Each row found is then compared as a whole.
func SimilarRows(columns, table, from string) string {
	branches := make([]string, quarters)
	for i := range branches {
		shift := strconv.Itoa((quarters - 1 - i) * quarterBits)
		quarter := `(h.hash >> ` + shift + ` & 65535)`
		branches[i] = columns + `, (x.hash | h.hash) - (x.hash & h.hash) AS differs FROM ` + from + ` h
  CROSS JOIN json_each('` + flips + `') o CROSS JOIN ` + table + ` x
  ON x.hash >> ` + shift + ` & 65535 = (` + quarter + ` | o.value) - (` + quarter + ` & o.value) WHERE x.hash IS NOT NULL`
	}
	return "(SELECT * FROM (SELECT " + strings.Join(branches, "\nUNION ALL SELECT ") + ") WHERE " + fewDiffer + ")"
}

// fewDiffer is the condition that at most Distance bits of the column differs are 1. SQLite has no operator that counts bits.
var fewDiffer = func() string {
	var digits []string
	for shift := 0; shift < 64; shift += 4 {
		digits = append(digits, `substr('0112122312232334', (differs >> `+strconv.Itoa(shift)+` & 15) + 1, 1)`)
	}
	return strings.Join(digits, " + ") + ` <= ` + strconv.Itoa(Distance)
}()

var errBlocked = data.Mistake("pictures", "This picture was removed here. It must not be posted again.")

// blocksHere is the condition that a row of picture_blocks blocks on the whole site, or in :community. Unique index on name_key.
const blocksHere = `community_id IN (0, coalesce((SELECT k.id FROM communities k WHERE k.name_key = :community), 0))`

// blocked returns the condition that the site or the community :community blocks the picture of this sum. Index picture_blocks_sum.
func blocked(sum string) string {
	return `EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = ` + sum + ` AND b.` + blocksHere + `)`
}

// BlockTitle is the reason in queues for an item with a blocked picture. Pages translate it (locale/kept).
const BlockTitle = "Blocked picture"

// SimilarBlock is the block of a picture that looks like one of a post or comment. It prevents nothing, because hashes may be false.
type SimilarBlock struct {
	Block data.ID
	Site  bool // it is a block on the whole site
}
