package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"plaza/data/content/posts"
	"plaza/data/lists/search"
)

// scripts are texts, with queries that find them and queries that don't.
var scripts = []struct {
	text       string
	found, not []string
}{
	// Scripts without spaces.
	{"我昨天去了北京大学图书馆。", []string{"北京", "大学", "北京大学", "图书馆", "昨天", "去", "馆", "大学图", `"北京大学图书馆"`, "北京大学 图书馆"},
		[]string{"北大", "圖書館", "东京", "学北", "昨天北京", `"北京 大学"`}},
	{"我昨天去了北京大學圖書館。", []string{"圖書館", "大學"}, []string{"图书馆"}},
	{"中华人民共和国宪法第三十五条规定公民有言论自由", []string{"中华人民共和国宪法第三十五条规定", "言论自由", "三十五条", "自由"}, []string{"言论不自由", "自由民"}},
	{"新しいiPhone手机壳到货", []string{"iPhone手机", "iphone 手机壳", "手机", "新し", "iPhone"}, []string{"手机iPhone", "phone手机"}},
	{"東京タワーでラーメンを食べました", []string{"東京", "タワー", "ラーメン", "食べました", "東京タワー", "ーメン", "を"}, []string{"京都", "ラーメソ", "らーめん"}},
	{"ｶﾞｯｺｳのﾃﾚﾋﾞ", []string{"ガッコウ", "テレビ", "ﾃﾚﾋﾞ"}, []string{"カッコウ", "テレヒ"}},
	{"がっこう", []string{"がっこう", "か\u3099っこう", "が"}, []string{"かっこう", "か"}},
	{"かばん", []string{"かばん", "かは\u3099ん"}, []string{"がばん", "かはん", "かぱん"}},
	{"ﾊﾟｿｺﾝ", []string{"パソコン", "ハ\u309aソコン"}, []string{"バソコン", "ハソコン"}},
	{"인터넷검색은 한국어를 지원합니다", []string{"한국어", "한국어를", "검색", "인터넷", "인터넷 검색", "지원", norm.NFD.String("한국어"), "어"},
		[]string{"한글", "국한", "한국인"}},
	{norm.NFD.String("대한민국 만세"), []string{"대한민국", "민국", "만세"}, []string{"대만"}},
	{"ภาษาไทยเขียนติดกันไม่เว้นวรรค", []string{"ภาษา", "ไทย", "ภาษาไทย", "เขียน", "วรรค", "ไม่"}, []string{"ไม้", "ภาษี", "กา"}},
	{"ร้านอาหารอยู่ที่นี่", []string{"อาหาร", "ร้าน", "ที่นี่", "นี่"}, []string{"ราน", "ทีนี"}},
	{"น้ำใจ", []string{"น้ำ", "ใจ"}, []string{"นา"}},
	{"ປະເທດລາວງາມຫຼາຍ", []string{"ລາວ", "ປະເທດ", "ງາມ"}, []string{"ລາດ"}},
	{"ភាសាខ្មែរពិបាក", []string{"ខ្មែរ", "ភាសា", "ភាសា\u200bខ្មែរ", "ពិបាក"}, []string{"ខ្មរ"}},
	{"ខ្ញុំ\u200bស្រឡាញ់\u200bកម្ពុជា", []string{"កម្ពុជា", "ស្រឡាញ់", "ខ្ញុំស្រឡាញ់"}, []string{"កម្ពុជី"}},
	{"မြန်မာနိုင်ငံသည်", []string{"မြန်မာ", "နိုင်ငံ"}, []string{"မြန်မီ", "နိင်ငံ"}},
	{"ㄅㄆㄇ注音", []string{"ㄆㄇ", "注音"}, []string{"ㄇㄅ"}},

	// Vowel points, accents, and variants of letters.
	{"שָׁלוֹם עֲלֵיכֶם", []string{"שלום", "עליכם", "שָׁלוֹם", "שלום עליכם"}, []string{"שלוה"}},
	{"בני־ברק", []string{"ברק", "בני ברק", `"בני ברק"`}, []string{"בניברק"}},
	{"ייִדיש איז װוּנדערלעך", []string{"וווּנדערלעך", "ווונדערלעך", "יידיש"}, nil},
	{"اَلْعَرَبِيَّةُ لُغَةٌ", []string{"العربية", "لغة", "العربيه"}, []string{"العرب"}},
	{"أحمد إلى آخر مؤمن", []string{"احمد", "أحمد", "الى", "إلي", "اخر", "مومن"}, []string{"حمد"}},
	{"مـــرحـــبا", []string{"مرحبا"}, []string{"مرحب"}},
	{"کتاب فارسی می\u200cخواهم", []string{"كتاب", "کتاب", "فارسي", "میخواهم", "می\u200cخواهم"}, []string{"خواهم"}},
	{"ﻻ ﺑﺄﺱ", []string{"لا", "بأس", "باس"}, nil},
	{"सन् ١٩٨٤ और २०२४ ۱۴۰۲", []string{"1984", "2024", "1402", "२०२४"}, []string{"2025"}},
	{"हिन्दी भाषा ज़रूरी है", []string{"हिन्दी", "भाषा", "जरूरी", "ज\u093cरूरी", "है"}, []string{"हिन्द", "भाष", "भाषी", "हन्दी"}},
	{"বাংলা ভাষা পড়া", []string{"বাংলা", "পড়া", "পড\u09bcা"}, []string{"বাংল"}},
	{"தமிழ் மொழி", []string{"தமிழ்", "மொழி", "மெ\u0bbeழி"}, []string{"தமழ்", "மொழ"}},
	{"Tiếng Việt rất đẹp", []string{"tieng viet", "Tiếng Việt", norm.NFD.String("Tiếng Việt"), "dep", "đẹp", "rat"}, []string{"tieg"}},
	{"Zażółć gęślą jaźń, Łódź", []string{"zazolc", "gesla", "jazn", "lodz", "ŁÓDŹ", "Łódz"}, []string{"lods"}},
	{"Smørrebrød på Ærø, blåbær", []string{"smorrebrod", "aero", "Ærø", "blabaer", "SMØRREBRØD", "pa"}, []string{"smoerrebroed"}},
	{"İstanbul'da IŞIK ılık", []string{"istanbul", "ISTANBUL", "İstanbul", "ışık", "isik", "ilik"}, []string{"istanbol"}},
	{"Die Straße ist groß, MASZE und Maße", []string{"strasse", "STRASSE", "Straße", "STRAẞE", "gross", "masse"}, []string{"strase"}},
	{"Đakovo, Ćuprija, čaša, ǆep", []string{"dakovo", "cuprija", "casa", "džep", "dzep"}, []string{"djakovo"}},
	{"Þingvellir og Eyjafjallajökull, maðurinn", []string{"thingvellir", "eyjafjallajokull", "madurinn"}, []string{"tingvellir"}},
	{"œuvre, cœur, Citroën, Noël", []string{"oeuvre", "coeur", "citroen", "NOEL", "cœur"}, []string{"euvre"}},
	{"eﬃcient ﬁsh, ﬂow, ﬅop", []string{"efficient", "fish", "flow", "stop"}, []string{"effcient"}},
	{"Ｆｕｌｌ ｗｉｄｔｈ １２３ＡＢＣ", []string{"full width", "123abc", "ＷＩＤＴＨ"}, []string{"wide"}},
	{"H₂O and m², 𝐛𝐨𝐥𝐝 𝒜𝒷, Ⅷ, ①②", []string{"h2o", "m2", "bold", "viii", "12"}, []string{"ho"}},
	{"Ελλάδα, ΟΔΟΣ, όμορφος", []string{"ελλαδα", "οδος", "οδοσ", "ΟΔΌΣ", "ομορφοσ"}, []string{"ελλαδ"}},
	{"ἀρχῇ ἦν ὁ λόγος", []string{"αρχη", "ην", "λογος", "ΛΟΓΟΣ"}, []string{"αρχο"}},
	{"Ёлки и йод, Київ, ґанок", []string{"елки", "ёлки", "йод", "и\u0306од", "київ", "ґанок"}, []string{"иод", "киів", "ганок"}},
	{"Ҡаҙан, Чӑваш, Тоҷикӣ", []string{"чӑваш", "чаваш", "тоҷики", "тоҷикӣ"}, nil},
	{"за\u0301мок и замо\u0301к", []string{"замок", "за\u0301мок"}, nil},
	{norm.NFD.String("Größe naïve Ångström"), []string{"grosse", "größe", "naive", "angstrom"}, nil},
	{"Größe naïve Ångström 2", []string{norm.NFD.String("Größe"), norm.NFD.String("naïve"), "\u212bngström"}, []string{"groesse"}},
	{"Hausa ƙasa, Ɗan, ɓarna; Marshallese ɨ, Ƶ; ȼ", []string{"kasa", "dan", "barna", "ƙasa", "z"}, []string{"gasa"}},
	{"Haŋŋo ʻOkina Ħal Għargħur", []string{"hanno", "okina", "hal", "gharghur"}, nil},
	{"Պատմություն և ԵՐԵՒԱՆ", []string{"պատմություն", "երևան"}, nil},
	{"ქართული ᲥᲐᲠᲗᲣᲚᲘ", []string{"ქართული", "ᲥᲐᲠᲗᲣᲚᲘ"}, []string{"ქართ"}},
	{"s\u0336t\u0336r\u0336u\u0336c\u0336k out", []string{"struck"}, nil},

	// Characters between letters, and invisible ones.
	{"It’s Hawaiʻi, об’єкт, l'été", []string{"it's", "it’s", "itʼs", "hawai'i", "Hawai‘i", "об'єкт", "обʼєкт", "ete", "l’été", "l＇ete"}, []string{"its"}},
	{"ex\u00adtra\u00adordi\u00adnary zero\u200bwidth joi\u200dner \ufeffbom wo\u2060rd", []string{"extraordinary", "zerowidth", "joiner", "bom", "word"},
		[]string{"tra"}},
	{"great🥰news and nice😀faces ❤️love", []string{"great", "news", "nice", "faces", "love", `"great news"`}, []string{"greatnews"}},
	{"well-known E‑Mail, AC/DC", []string{"known", "well-known", "e-mail", "E‐Mail", "ac/dc"}, []string{"wellknown"}},
}

// TestScripts searches words of many scripts, in several spellings.
func TestScripts(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	inputs := 0
	for i, row := range scripts {
		s.submit(ann, posts.Create{Community: "letters", Title: fmt.Sprint("N", i), Text: row.text, Excerpt: "x"})
	}
	for i, row := range scripts {
		for _, asked := range append(row.found[:len(row.found):len(row.found)], row.not...) {
			inputs++
			want := slices.Contains(row.found, asked)
			titles, _ := s.posts(query(t, asked))
			assert.Equal(t, want, slices.Contains(titles, fmt.Sprint("N", i)), "%q is found by %q", row.text, asked)
			w := query(t, asked).Words
			if pieces := w.Snippet(row.text); want {
				marked := ""
				for _, p := range pieces {
					if p.Marked {
						marked += p.Text
					}
				}
				assert.NotEmpty(t, marked, "%q is marked in %q", asked, row.text)
				assert.LessOrEqual(t, len(marked), 3*len(asked)+6, "%q of %q is marked for %q", marked, row.text, asked)
			}
		}
	}
	require.Greater(t, inputs, 150)
}

// TestQuotesAndDashes searches phrases between all kinds of quotation marks, and excludes words by all kinds of dashes.
func TestQuotesAndDashes(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "letters")
	for title, text := range map[string]string{"phrase": "the old wood burns", "apart": "wood that is old", "don't": "I don't stop",
		"chinese": "我们去北京大学"} {
		s.submit(ann, posts.Create{Community: "letters", Title: title, Text: text, Excerpt: "x"})
	}
	found := func(text string) []string {
		titles, _ := s.posts(query(t, text))
		slices.Sort(titles)
		return titles
	}
	both := []string{"apart", "phrase"}
	require.Equal(t, both, found("old wood"))
	for _, q := range []string{`"old wood"`, "“old wood”", "„old wood“", "„old wood”", "”old wood”", "‟old wood”", "«old wood»", "»old wood«",
		"« old wood »", "‹old wood›", "›old wood‹", "「old wood」", "『old wood』", "｢old wood｣", "﹁old wood﹂", "〝old wood〞", "〝old wood〟", "＂old wood＂",
		"‘old wood’", "‚old wood‘", "’old wood’", "‛old wood’", "'old wood'", "＇old wood＇", "❝old wood❞", "❛old wood❜", "“old wood\"", "“old wood", "`old wood´",
		`burns“old wood”`, "「old wood」burns"} {
		assert.Equal(t, []string{"phrase"}, found(q), q)
	}
	for _, q := range []string{"'old wood", "‘old wood", "old 'wood", "old wood'"} {
		assert.Equal(t, both, found(q), q)
	}
	for _, q := range []string{"‘don’t stop’", "don’t", "'don't stop'", "“don’t”"} {
		assert.Equal(t, []string{"don't"}, found(q), q)
	}
	for _, q := range []string{"去「北京大学」", "北京，大学", "北京、大学", "（北京）", "《大学》", "大学　北京", "我们“大学”北京"} {
		assert.Equal(t, []string{"chinese"}, found(q), q)
	}
	assert.Empty(t, found("「大学北京」"))
	for _, dash := range []string{"-", "‐", "‑", "‒", "–", "—", "―", "−", "－", "﹣", "⁻", "﹘", "⸺", "➖", "˗", "־", "〜"} {
		assert.Equal(t, []string{"phrase"}, found("wood "+dash+"that"), "%U", []rune(dash))
		assert.Equal(t, []string{"apart"}, found("wood "+dash+"“old wood”"), "%U", []rune(dash))
		assert.Equal(t, []string{"phrase"}, found("old"+dash+"wood"), "%U is within a phrase", []rune(dash))
		assert.Equal(t, both, found("wood "+dash+" old"), "%U with a space behind it", []rune(dash))
	}
	require.Empty(t, found("北京 -大学"))
	require.Equal(t, []string{"chinese"}, found("北京 －东京"))
}

// TestLongRuns limits runs of characters like words: two pairs count as a word.
func TestLongRuns(t *testing.T) {
	run := []rune(strings.Repeat("一丁七万丈三上下不与", 3))
	for _, ok := range []string{string(run[:25]), `"` + string(run[:13]) + `"`, string(run[:13]) + " a b c d e f", "北京*", "的*"} {
		query(t, ok)
	}
	w := query(t, string(run[:24])).Words
	require.Len(t, w.All, 2)
	require.Equal(t, string(run[:13]), w.All[0].Text)
	require.Equal(t, string(run[12:24]), w.All[1].Text, "no pair is lost")
	for _, long := range []string{string(run[:27]), `"` + string(run[:14]) + `"`, string(run[:13]) + " a b c d e f g"} {
		_, err := search.Parse(long)
		require.Error(t, err, long)
	}
}

// TestSnippetOfRuns marks the matching part of a run of characters.
func TestSnippetOfRuns(t *testing.T) {
	for text, want := range map[string]string{"北京": "我在[北京]大学，离[北京]不远", "大": "我在北京[大]学，离北京不远", "北京大学": "我在[北京大学]，离北京不远",
		"北京 京大": "我在[北京大]学，离[北京]不远", "东京": "我在北京大学，离北京不远"} {
		marked := ""
		w := query(t, text).Words
		for _, p := range w.Snippet("我在北京大学，离北京不远") {
			if marked += p.Text; p.Marked {
				marked = strings.TrimSuffix(marked, p.Text) + "[" + p.Text + "]"
			}
		}
		assert.Equal(t, want, marked, text)
	}
}
