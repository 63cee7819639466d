package unfurl

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

var from, _ = Parse("https://go.dev/blog/post")

func TestRead(t *testing.T) {
	tests := map[string]struct {
		page string
		want Page
	}{
		"a page with everything": {`<!DOCTYPE html><html><head><meta charset="utf-8"><title>Plain</title>
<meta name="description" content="plain"><meta property="og:title" content="Open Graph"><meta property="og:description" content="described">
<meta property="og:site_name" content="The Go Blog"><meta property="og:image" content="/images/gopher.png">`,
			Page{"Open Graph", "described", "The Go Blog", "https://go.dev/images/gopher.png"}},
		"a plain page": {"<title>\n  One\t two\r\n three </title><meta name=description content=words>",
			Page{Title: "One two three", Description: "words"}},
		"Open Graph wherever it stands": {`<meta property="og:title" content="A"><title>B</title><meta property="og:title" ` +
			`content="C">`, Page{Title: "A"}},
		"what is empty counts for nothing": {`<meta property="og:title" content="  "><title></title><title>B</title>`, Page{Title: "B"}},
		"cards of Twitter": {`<title>B</title><meta name="twitter:title" content="A"><meta name="twitter:image" ` +
			`content="https://go.dev/a.png">`, Page{Title: "A", Image: "https://go.dev/a.png"}},
		"names in property and properties in name": {`<meta name="og:title" content="A"><meta property="description" content="D">`,
			Page{Title: "A", Description: "D"}},
		"schema.org": {`<meta itemprop="headline" content="A"><meta itemprop="image" content="a.png">`,
			Page{Title: "A", Image: "https://go.dev/blog/a.png"}},
		"upper case": {`<HTML><HEAD><TITLE>A</TITLE><META NAME="Description" CONTENT="D"></HEAD>`,
			Page{Title: "A", Description: "D"}},
		"every way to quote": {`<meta property='og:title' content='it"s'><meta name=description   content = D/x ><meta ` +
			`content=S property=og:site_name>`, Page{Title: `it"s`, Description: "D/x", Site: "S"}},
		"attributes without values": {`<meta hidden name=description content="D" / ><title lang>A</title x>`,
			Page{Title: "A", Description: "D"}},
		"of two attributes the first": {`<meta name=description content=a content=b>`, Page{Description: "a"}},
		"> in a value":                {`<meta name=x content="<title>no</title>"><title>A</title>`, Page{Title: "A"}},
		"references": {`<title>Q&amp;A &lt;b&gt; &#8211; &#x2014; &eacute;&nbsp;x &#150; &bogus; &amp &#xD800; ` +
			`&</title>`, Page{Title: "Q&A <b> – — é x – &bogus; & \uFFFD &"}},
		"references in values": {`<meta property=og:title content="&quot;A&quot; &#39;B&#39;">`, Page{Title: `"A" 'B'`}},
		"titles in scripts": {`<script>"<title>no</title>"</script><style>/*<title>no</title>*/</style><title>A</title>`,
			Page{Title: "A"}},
		"a script that does not end":  {`<script><title>no</title>`, Page{}},
		"an end tag of a longer name": {`<script></scripts><title>no</title></script ><title>A</title>`, Page{Title: "A"}},
		"titles in comments":          {`<!-- <title>no</title> --><!--><title>A</title>-->`, Page{Title: "A"}},
		"a comment that ends oddly":   {`<!-- <title>no</title> --!><title>A</title> -->`, Page{Title: "A"}},
		"a comment with hyphens":      {`<!-- - -- --- <title>no</title> ---><title>A</title>`, Page{Title: "A"}},
		"a comment that does not end": {`<!-- <title>no</title>`, Page{}},
		"titles of drawings":          {`<svg><title>no</title></svg><title>A</title>`, Page{Title: "A"}},
		"a drawing without contents":  {`<svg/><title>A</title>`, Page{Title: "A"}},
		"an end tag without a name":   {`</ <title>no</title>><title>A</title>`, Page{Title: "A"}},
		"what stands in <noscript>":   {`<noscript><meta name=description content=D></noscript><title>A</title>`, Page{Title: "A", Description: "D"}},
		"an address like a reference": {`<meta property=og:image content="https://a.de/?a=1&copy=2&amp=3">`, Page{Image: "https://a.de/?a=1&copy=2&amp=3"}},
		"tags in a title are text":    {`<title>a <b>c</title>`, Page{Title: "a <b>c"}},
		"a page cut in its title":     {`<title>A long ti`, Page{Title: "A long ti"}},
		"a page cut in a tag":         {`<title>A</title><meta name=description content="D`, Page{Title: "A"}},
		"a page cut behind <":         {`<title>A</title><`, Page{Title: "A"}},
		"a base": {`<base href="https://cdn.example.org/x/"><meta property=og:image content="a.png">`,
			Page{Image: "https://cdn.example.org/x/a.png"}},
		"a base that may not be asked": {`<base href="http://127.0.0.1/"><meta property=og:image content="a.png">`,
			Page{Image: "https://go.dev/blog/a.png"}},
		"pictures that may not be asked": {`<meta property=og:image:secure_url content="http://169.254.169.254/a.png"><meta ` +
			`property=og:image content="data:image/png;base64,x"><meta name=twitter:image content="//ok.org/b.png">`,
			Page{Image: "https://ok.org/b.png"}},
		"the safer of two pictures": {`<meta property=og:image content="http://a.de/a.png"><meta property=og:image:secure_url ` +
			`content="https://a.de/a.png">`, Page{Image: "https://a.de/a.png"}},
		"a picture with references": {`<meta property=og:image content=" https://a.de/a.png?a=1&amp;b=2 ">`,
			Page{Image: "https://a.de/a.png?a=1&b=2"}},
		"a picture as a link": {`<link rel=image_src href=/a.png>`, Page{Image: "https://go.dev/a.png"}},
		"control and direction characters": {"<title>a\x00b\x1b[31mc\u202ed\u2066e\u200f\ufeff&#8238;f</title>",
			Page{Title: "a\uFFFDb[31mcdef"}},
		"what stands in the body": {`<head><title>A</title></head><meta name=description content=no>`, Page{Title: "A"}},
		"a body without a head":   {`<title>A</title><body><meta name=description content=no>`, Page{Title: "A"}},
		"nothing at all":          {"", Page{}},
		"no HTML":                 {"%PDF-1.7 <<>> \x00\x01", Page{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, Read("text/html; charset=utf-8", []byte(test.page), from))
		})
	}
}

func TestLengthsAreBounded(t *testing.T) {
	p := Read("text/html", []byte("<title>"+strings.Repeat("ä", 1000)+"</title><meta name=description content='"+strings.Repeat("x y ", 1000)+
		"'><meta property=og:site_name content='"+strings.Repeat("z", 100)+"'>"), from)
	assert.Equal(t, strings.Repeat("ä", TitleMax-1)+"…", p.Title)
	assert.Equal(t, DescriptionMax, utf8.RuneCountInString(p.Description))
	assert.Equal(t, SiteMax, utf8.RuneCountInString(p.Site))
	assert.Equal(t, "…", p.Site[len(p.Site)-len("…"):])
	exact := Read("text/html", []byte("<title>"+strings.Repeat("x", TitleMax-1)+"</title>"), from)
	assert.Equal(t, strings.Repeat("x", TitleMax-1), exact.Title)
}

func TestEncodings(t *testing.T) {
	encoded := func(c encoding.Encoding, s string) string {
		out, err := c.NewEncoder().String(s)
		require.NoError(t, err)
		return out
	}
	tests := map[string]struct{ contentType, page, title string }{
		"the header says windows-1252": {"text/html; charset=windows-1252", "<title>" + encoded(charmap.Windows1252, "“Ähre” – 5 €") +
			"</title>", "“Ähre” – 5 €"},
		"the header says ISO-8859-1": {`text/html;charset="ISO-8859-1"`, "<title>\x93\xe4\x94</title>", "“ä”"},
		"the page says latin1":       {"text/html", "<meta charset=latin1><title>\xe4</title>", "ä"},
		"the page says windows-1251": {"text/html", "<meta http-equiv=content-type content='text/html; charset=windows-1251'><title>" +
			encoded(charmap.Windows1251, "Привет, ёж") + "</title>", "Привет, ёж"},
		"the page says it late":              {"text/html", "<script>" + strings.Repeat("x", 5000) + "</script><meta charset=latin1><title>\xe4</title>", "ä"},
		"nobody says, and it is UTF-8, late": {"text/html", "<script>" + strings.Repeat("x", 5000) + "</script><title>日本語</title>", "日本語"},
		"the header says an unknown one":     {"text/html; charset=klingon", "<meta charset=latin1><title>\xe4</title>", "ä"},
		"the page says an unknown one first": {"text/html", "<meta charset=klingon><meta charset=latin1><title>\xe4</title>", "ä"},
		"the body is not UTF-8":              {"text/html", "<title>日本語</title></head>\xe4\xfc", "日本語"},
		"the header wins over the page":      {"text/html; charset=utf-8", "<meta charset=latin1><title>ä</title>", "ä"},
		"a byte order mark wins over all":    {"text/html; charset=latin1", "\xEF\xBB\xBF<title>ä</title>", "ä"},
		"nobody says, and it is UTF-8":       {"text/html", "<title>日本語</title>", "日本語"},
		"nobody says, and it is not":         {"text/html", "<title>Gr\xfc\xdfe</title>", "Grüße"},
		"UTF-8 that is cut in a character":   {"text/html", "<title>日本語</title>\xe6\x97", "日本語"},
		"broken UTF-8":                       {"text/html; charset=utf-8", "<title>a gr\xfc\xdfe to you</title>", "a gr\uFFFD\uFFFDe to you"},
		"the header says Shift_JIS": {"text/html; charset=Shift_JIS", "<title>" + encoded(japanese.ShiftJIS, "日本語の表示テスト") + "</title>",
			"日本語の表示テスト"},
		"the page says x-sjis": {"text/html", `<meta http-equiv="Content-Type" content="text/html; charset=x-sjis"><title>` +
			encoded(japanese.ShiftJIS, "表計算ソフト") + "</title>", "表計算ソフト"},
		"EUC-JP": {"text/html; charset=euc-jp", "<title>" + encoded(japanese.EUCJP, "日本語") + "</title>", "日本語"},
		"ISO-2022-JP, that looks as tags": {"text/html", "<meta charset=iso-2022-jp><title>" + encoded(japanese.ISO2022JP, "う、ぼくの<日本>") +
			"</title>", "う、ぼくの<日本>"},
		"GB2312": {"text/html; charset=gb2312", "<title>" + encoded(simplifiedchinese.GBK, "简体中文") + "</title>",
			"简体中文"},
		"GB18030": {"text/html", "<meta charset='gb18030'><title>" + encoded(simplifiedchinese.GB18030, "简体中文 𠀀") +
			"</title>", "简体中文 𠀀"},
		"Big5": {"text/html; charset=big5", "<title>" + encoded(traditionalchinese.Big5, "繁體中文 許功蓋") + "</title>",
			"繁體中文 許功蓋"},
		"EUC-KR": {"text/html; charset=euc-kr", "<title>" + encoded(korean.EUCKR, "한국어 페이지") + "</title>", "한국어 페이지"},
		"KOI8-R": {"text/html; charset=koi8-r", "<title>" + encoded(charmap.KOI8R, "Привет") + "</title>", "Привет"},
		"ISO-8859-2": {"text/html; charset=iso-8859-2", "<title>" + encoded(charmap.ISO8859_2, "Příliš žluťoučký") +
			"</title>", "Příliš žluťoučký"},
		"UTF-16 by its mark": {"text/html", encoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "<title>Ähre 日本</title>"),
			"Ähre 日本"},
		"UTF-16 that cannot be":        {"text/html", "<meta charset=utf-16><title>Ähre</title>", "Ähre"},
		"Shift_JIS cut in a character": {"text/html; charset=shift_jis", "<title>" + encoded(japanese.ShiftJIS, "日本") + "</title>\x93", "日本"},
		"the replacement encoding":     {"text/html; charset=iso-2022-kr", "<title>plain</title>", "plain"},
		"one that is not known":        {"text/html; charset=klingon", "<title>Ähre</title>", "Ähre"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.title, Read(test.contentType, []byte(test.page), from).Title)
		})
	}
}

// TestReadIsLinear reads pages that would make a parser read them over and over. A page of a megabyte takes less than a second, and under the
// race detector some seconds. Reading it again for each of its tags would take a quarter of an hour.
func TestReadIsLinear(t *testing.T) {
	for _, piece := range []string{"<!---->", "<!-- -- -->", "<!-- a --!>", "<!", "<?x>", "<a b='c'>", "<script></script>", "<title></title",
		"<svg>", "</", "<", "<a ", "&#1", "<a b c d>", "<meta property=og:image content=x>", "-"} {
		page := []byte(strings.Repeat(piece, 1<<20/len(piece)))
		start := time.Now()
		Read("text/html", page, from)
		Read("text/html", append([]byte("<!--"), page...), from)
		Read("text/html", append([]byte("<title>"), page...), from)
		assert.Less(t, time.Since(start), time.Minute, piece)
	}
	page := []byte("<a")
	for i := range 1 << 16 {
		page = fmt.Appendf(page, " a%d", i)
	}
	start := time.Now()
	Read("text/html", append(page, ">"+strings.Repeat("<a b>", 1<<20)...), from)
	assert.Less(t, time.Since(start), time.Minute, "small tags behind a large one")
}

func TestContentTypes(t *testing.T) {
	for contentType, want := range map[string]bool{
		"text/html": true, "TEXT/HTML; charset=x": true, " text/html ;x": true, "application/xhtml+xml": true,
		"": false, "text/plain": false, "image/png": false, "application/json": false, "text/htmlx": false,
	} {
		assert.Equal(t, want, IsPage(contentType), contentType)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`<!doctype html><title>a&amp;b</title><meta property="og:image" content='/x.png'>`, "<svg><title>", "<!--", "<!-->", "<a b=c d='e", "</",
		"<meta content", "<script></scr", "&#x",
	} {
		f.Add("text/html", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, contentType string, page []byte) {
		p := Read(contentType, page, from)
		for text, limit := range map[string]int{p.Title: TitleMax, p.Description: DescriptionMax, p.Site: SiteMax} {
			if !utf8.ValidString(text) || utf8.RuneCountInString(text) > limit || strings.TrimSpace(text) != text ||
				strings.ContainsAny(text, "\x00\n\u202e") {
				t.Fatalf("%q", text)
			}
		}
		if p.Image != "" {
			if _, err := Parse(p.Image); err != nil {
				t.Fatal(err)
			}
		}
	})
}
