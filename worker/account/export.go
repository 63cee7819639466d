package account

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts/exports"
	pages "plaza/render/account"
	"plaza/worker/request"
)

// Members download all data that the site has about them, as files of NDJSON of at most about a megabyte. Each file needs one
// request to one database, so its cost does not grow with the data of the member. Programs follow the header Link, or the last
// line of a file; people have a page with links to the parts.

// accountPart is the name of the file about the account itself.
const accountPart = "account"

func cursorText(c exports.Cursor) string {
	return fmt.Sprintf("%d.%d.%d.%d", c.Place, c.Key, c.ID, c.Move)
}

// parseCursor parses a text of cursorText; an empty one is the beginning. NotFound.
func (h *Handlers) parseCursor(text string, k exports.Kind) (c exports.Cursor, err error) {
	if text == "" {
		return c, nil
	}
	parts := strings.Split(text, ".")
	numbers := make([]int64, 4)
	for i := range numbers {
		if len(parts) == len(numbers) {
			numbers[i], err = strconv.ParseInt(parts[i], 10, 64)
		}
		if len(parts) != len(numbers) || err != nil || numbers[i] < 0 {
			return c, errNoPart
		}
	}
	if numbers[0] >= int64(len(h.Exports.Places(k))) {
		return c, errNoPart
	}
	return exports.Cursor{Place: int(numbers[0]), Key: numbers[1], ID: numbers[2], Move: numbers[3]}, nil
}

var errNoPart = &data.Error{Code: data.NotFound, Message: "There is no such file. Please choose one at /settings/export."}

// inSeveralDatabases reports whether one of some kinds has rows in several databases.
func (h *Handlers) inSeveralDatabases(kinds []exports.Kind) bool {
	return slices.ContainsFunc(kinds, func(k exports.Kind) bool { return len(h.Exports.Places(k)) > 1 })
}

// beginExport begins a Read of an export of some kinds, and returns the cursor of its beginning. If one of them is in several databases, it
// first reads the number of the last move of a community to another shard. Unavailable while a community moves.
func (h *Handlers) beginExport(c *request.Call, kinds ...exports.Kind) (r *data.Read, begin exports.Cursor, err error) {
	r = c.Read()
	if !h.inSeveralDatabases(kinds) {
		return r, begin, nil
	}
	move := h.Exports.FindMove(r)
	if err := c.Run(r); err != nil {
		return nil, begin, err
	}
	return h.DB.Read(), begin, begin.Begin(*move)
}

// runExport runs the Read. Conflict if the export of the cursor has to begin again, because a community has moved since its beginning.
func (h *Handlers) runExport(c *request.Call, r *data.Read, cursor exports.Cursor, kinds ...exports.Kind) error {
	if h.inSeveralDatabases(kinds) {
		return h.Exports.Run(c.R.Context(), r, cursor)
	}
	return c.Run(r)
}

// ShowExport is the page with links to the parts: the first ones of all kinds, or, with ?kind and ?after, the next ones of one kind.
func (h *Handlers) ShowExport(c *request.Call) error {
	params := c.R.URL.Query()
	kinds := slices.DeleteFunc(slices.Clone(exports.Kinds()), func(k exports.Kind) bool {
		return params.Get("kind") != "" && params.Get("kind") != k.Name
	})
	r, begin, err := h.beginExport(c, kinds...)
	if err != nil {
		return err
	}
	type found struct {
		kind  exports.Kind
		parts *[]exports.Part
		more  *bool
	}
	var list []found
	cursor := begin
	for _, k := range kinds {
		after, err := h.parseCursor(params.Get("after"), k)
		if err != nil {
			return err
		}
		for place := range h.Exports.Places(k) {
			if params.Get("after") == "" {
				after = begin
				after.Place = place
			} else if place != after.Place {
				continue
			}
			cursor = after
			f := found{kind: k}
			f.parts, f.more = h.Exports.FindParts(r, *c.Actor, k, after)
			list = append(list, f)
		}
	}
	if err := h.runExport(c, r, cursor, kinds...); err != nil {
		return err
	}
	p := pages.ExportPage{Frame: c.Frame("Your data")}
	if !params.Has("kind") {
		p.AccountURL = request.ExportAddress(accountPart, nil)
	}
	for _, f := range list {
		if len(*f.parts) == 0 {
			continue
		}
		if n := len(p.Kinds); n == 0 || p.Kinds[n-1].Label != f.kind.Label {
			p.Kinds = append(p.Kinds, pages.ExportKind{Label: f.kind.Label})
		}
		kind := &p.Kinds[len(p.Kinds)-1]
		for _, part := range *f.parts {
			kind.Parts = append(kind.Parts, pages.ExportPart{Count: part.Count,
				URL: request.ExportAddress(f.kind.Name, url.Values{"after": {cursorText(part.After)}, "to": {cursorText(part.To)}})})
		}
		if *f.more {
			last := (*f.parts)[len(*f.parts)-1].To
			kind.More = append(kind.More, pages.ExportMore{URL: request.ExportURL + "?" + url.Values{"kind": {f.kind.Name},
				"after": {cursorText(last)}}.Encode()})
		}
	}
	return request.Show(c, http.StatusOK, pages.Export, p)
}

// ExportFile sends one file of an export.
func (h *Handlers) ExportFile(c *request.Call) error {
	name, params := c.R.PathValue("kind"), c.R.URL.Query()
	var kinds []exports.Kind
	k, ok := exports.Named(name)
	if ok {
		kinds = append(kinds, k)
	} else if name != accountPart {
		return errNoPart
	}
	r, after, err := h.beginExport(c, kinds...)
	if err != nil {
		return err
	}
	var file *exports.File
	if name == accountPart {
		file = h.Exports.FindAccount(r, *c.Actor)
	} else {
		if text := params.Get("after"); text != "" {
			if after, err = h.parseCursor(text, k); err != nil {
				return err
			}
		}
		to := after.End()
		if text := params.Get("to"); text != "" {
			if to, err = h.parseCursor(text, k); err != nil || to.Place != after.Place || to.Move != after.Move {
				return errNoPart
			}
		}
		file = h.Exports.FindFile(r, *c.Actor, k, after, to)
	}
	if err := h.runExport(c, r, after, kinds...); err != nil {
		return err
	}
	if file.More {
		query := url.Values{"after": {cursorText(file.Next)}}
		if to := params.Get("to"); to != "" {
			query.Set("to", to)
		}
		next := h.SiteURL + request.ExportAddress(name, query)
		c.W.Header().Set("Link", "<"+next+`>; rel="next"`)
		line, _ := json.Marshal(map[string]string{"kind": "next", "url": next}) // texts can always be encoded
		file.Lines = append(append(file.Lines, line...), '\n')
	}
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+c.Actor.Name+"-"+name+fileNumber(params.Get("after"))+`.ndjson"`)
	return c.Send(http.StatusOK, "application/x-ndjson", file.Lines)
}

// fileNumber distinguishes files of one kind by where they begin.
func fileNumber(after string) string {
	if after == "" {
		return ""
	}
	return "-" + strings.ReplaceAll(after, ".", "-")
}
