package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Converter converts the public JSON of other software into lines.
type Converter struct {
	From      string // one of Converters
	Community string // for posts without a community of their own
	Out       *Writer
	Bad       func(document int, reason string) // called for every document, from 1, that was skipped, or a part of it

	Changed int // documents with a value that was changed or left out, because it has another type than its field

	document   int
	categories map[int64]string // names of communities
	numbers    map[place]int64  // ids of posts
	public     map[int64]bool   // topics
	restricted map[int64]bool   // categories that are not public
}

// place identifies a post of a topic.
type place struct{ topic, post int64 }

// Converters are the kinds of software.
func Converters() []string { return []string{"lobsters", "discourse"} }

// Convert reads JSON documents, one after the other or in arrays. It may be called for several readers.
func (c *Converter) Convert(r io.Reader) error {
	convert := map[string]func([]byte) error{"lobsters": c.lobsters, "discourse": c.discourse}[c.From]
	if convert == nil {
		return fmt.Errorf("%q can't be converted", c.From)
	}
	if c.categories == nil {
		c.categories, c.numbers, c.public, c.restricted = map[int64]string{}, map[place]int64{}, map[int64]bool{}, map[int64]bool{}
	}
	in := json.NewDecoder(r)
	for n := 1; ; n++ {
		var text json.RawMessage
		if err := in.Decode(&text); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("document %d: %w", n, err)
		}
		documents := []json.RawMessage{text}
		if bytes.HasPrefix(text, []byte("[")) {
			if err := json.Unmarshal(text, &documents); err != nil {
				return fmt.Errorf("document %d: %w", n, err)
			}
		}
		c.document = n
		for _, d := range documents {
			err := convert(d)
			var bad *Bad
			if errors.As(err, &bad) {
				c.Bad(n, bad.Reason)
			} else if err != nil {
				return err
			}
		}
	}
}

// unmarshal reads a document.
func (c *Converter) unmarshal(text []byte, v any) error {
	changed, err := unmarshal(text, v)
	if changed {
		c.Changed++
	}
	return err
}

// out writes a line. It skips and reports a comment without a time. A post without one is a Bad, because its thread can't be imported
// without it.
func (c *Converter) out(item any) error {
	switch v := item.(type) {
	case Post:
		if v.CreatedAt.IsZero() {
			return Badf("%s has no created_at", v.ID)
		}
	case Comment:
		if v.CreatedAt.IsZero() {
			c.Bad(c.document, fmt.Sprintf("%s has no created_at", v.ID))
			return nil
		}
	}
	return c.Out.Write(item)
}
