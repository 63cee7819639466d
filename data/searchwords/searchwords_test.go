package searchwords_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data/searchwords"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Plain words, “quoted” – nothing else.": "", "Crème brûlée à l’œil nu": "creme brulee a l oeil nu", "Crème brûlée": "",
		"Привет мир": "", "Ёлки": "елки", "北京大学": "北京 京大 大学 学", "新iPhone手机": "新 iphone 手机 机", "한국어 is 말": "한국 국어 어 is 말",
		"👩\u200d💻 ❤️\u200d🔥 nice": "", "co\u00adop": "coop", "北\u00ad京": "北京 京",
	} {
		assert.Equal(t, want, searchwords.Words(text), text)
		assert.Empty(t, searchwords.Words(searchwords.Words(strings.ToLower("Ёлки и œuvre"))), "words stay as they are")
	}
}

func TestAsked(t *testing.T) {
	for text, want := range map[string]string{"北京大学": "北京 京大 大学", "京": "京*", "abc京": "abc 京*", "京abc": "京 abc", "北京abc": "北京 京 abc",
		"don't": "don t", "ŉ": "n"} {
		words, begins := searchwords.QueryWords(text)
		got := ""
		for _, w := range words {
			got += " " + w.Text
		}
		if begins {
			got += "*"
		}
		assert.Equal(t, want, strings.TrimSpace(got), text)
	}
}

func BenchmarkWords(b *testing.B) {
	for name, text := range map[string]string{"English": "Where to find old wood, he asked. ", "French": "Où trouver du vieux bois déjà coupé ? ",
		"Russian": "Где найти старое дерево, спросил он. ", "Greek": "Πού να βρω παλιό ξύλο, ρώτησε εκείνος. ", "Chinese": "哪里可以找到老木头，他问。", "Thai": "หาไม้เก่าได้ที่ไหน"} {
		b.Run(name, func(b *testing.B) {
			long := strings.Repeat(text, 10_000/len([]rune(text)))
			for b.Loop() {
				searchwords.Words(long)
			}
		})
	}
}
