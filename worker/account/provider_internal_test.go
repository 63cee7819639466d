package account

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts"
)

// TestProposedNames: what somebody is called elsewhere becomes a name that may be had here, and that they can recognize.
func TestProposedNames(t *testing.T) {
	for elsewhere, proposed := range map[string]string{
		"ann": "ann", "ann.lee": "ann_lee", "Ann Lee": "Ann_Lee", "ann.lee@example.org": "ann_lee", "ann+plaza@example.org": "ann_plaza",
		"Müller-Lüdenscheid": "Mueller-Luedenscheid", "Mu\u0308ller-Lu\u0308denscheidt": "Mueller-Luedenscheid", "Größe": "Groesse",
		"Åse Bjørn": "Aase_Bjoern", "Łukasz Żółć": "Lukasz_Zolc", "Đặng Văn": "Dang_Van", "Æthelred": "AEthelred", "François": "Francois",
		"jörg.müller@büro.example": "joerg_mueller", "Γιώργος": "Giorgos", "Мария": "Mariia", "北京": "Bei_Jing", "田中@example.jp": "Tian_Zhong",
		"ann_example.org#EXT#@corp.example": "ann", "CORP\\ann.lee": "ann_lee", "acct:ann@example.org": "ann", "mailto:ann@example.org": "ann",
		"ann＠example.org": "ann", " ann ": "ann", "_ann_": "ann", "-ann-": "ann", "O'Neil": "ONeil", "a name of more than twenty letters": "a_name_of_more_than",
		"Ann - Lee": "Ann_Lee", "a-_b_-c": "a_b_c", "": "", "@": "", "@@@": "", "ab@example.org": "", "!!!": "", "😀😀😀": "", "#EXT#": "",
	} {
		got := usernameOf(elsewhere)
		require.Equal(t, proposed, got, elsewhere)
		if got != "" {
			require.NoError(t, accounts.CheckName(got), elsewhere)
		}
	}
}
