// Package locale holds the words of the interface. The source says them in English, as values of type Text. A file for each other
// language, such as de.po, says the same in that language. A Text is put into words at the last moment, where the reader is known:
// in package render/ui for a page, in package worker for a mail. All other packages pass texts on without knowing a language.
//
// The rules of a text:
//
//   - "{}" stands for an argument, in the order in which With has them. A translation may write "{0}" and "{1}" to change the order.
//   - "|" divides the forms for a number: "{} comment|{} comments". The first whole number among the arguments decides. A language
//     has as many forms as Language.Plural tells apart. In a file they are msgid, msgid_plural and msgstr[n].
//   - What stands behind "¦" is not shown. It tells texts apart that are the same only in English: "Post¦verb" and "Post¦noun". In a
//     file it is msgctxt.
//
// A page escapes a text together with its arguments, so a translation can't break HTML. complete_test.go asks the type checker for
// every constant of type Text in the module, and fails where a file lacks one or has one too many. render/language_test.go draws
// every page in the language Pseudo, and so finds words that have not come through this package.
//
// A new language is one file, such as fr.po or pt-BR.po: a copy of de.po, translated with Poedit, Weblate or an editor. The site
// finds it there. Its header has what is no text: Language (the name of the file, with "_"), Plural-Forms (one of those in plural.go),
// X-Plaza-Name (in the language itself), X-Plaza-Thousands and X-Plaza-Decimal (what groups digits, and what stands before a fraction),
// X-Plaza-Ordinal (behind the day of a month, if anything), and X-Plaza-Direction: rtl for what is written from right to left.
// go run ./cmd/assets then makes its scripts, and PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable gives its words to the
// edge; the gallery looks at the languages that e2e/gallery/look.mjs names. Errors for programs, feeds and logs stay in English.
package locale
