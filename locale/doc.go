// Package locale has the texts of the interface. The source has them in English, as values of type Text. A file for each other language,
// such as de.po, translates them.
//
// The idea: a Text is translated at the last moment, where the reader is known: in render/ui for a page, in worker for a mail. All other
// packages pass texts on without a language.
//
// Begin with Text and With (text.go) and Language (language.go). docs/inside/pages.md has the rules of a text, and how to add a language.
package locale
