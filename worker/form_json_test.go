package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestObjectsThatCanBeReadInTwoWays: a JSON body whose fields another reader may understand otherwise decides nothing.
func TestObjectsThatCanBeReadInTwoWays(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.Header.Set("Accept", "application/json")
	for body, says := range map[string]string{
		`{"name":"gophers","name":"ferris"}`:           "The JSON object has a field twice.",
		`{"name":"gophers","n\u0061me":"ferris"}`:      "The JSON object has a field twice.",
		`{"name":"gophers"} {"name":"ferris"}`:         "The body is not a JSON object.",
		`{"name":"gophers"}x`:                          "The body is not a JSON object.",
		"{\"name\":\"gophers\",\"title\":\"a\xff\"}":   "that is not Unicode",
		`{"name":"gophers","title":"\ud800"}`:          "that is not Unicode",
		`[{"name":"gophers"}]`:                         "The body is not a JSON object.",
		`{"name":"gophers","title":{"a":1,"a":"two"}}`: "A field is a text, a number or a truth value.",
	} {
		res := ann.PostBody("/communities", "application/json", body)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, body)
		require.Contains(t, res.Body.String(), says, body)
	}
	var many strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&many, `"%d":1,`, i)
	}
	for _, path := range []string{"/login", "/contact", "/notice", "/view", "/display", "/communities"} {
		res := ann.PostBody(path, "application/json", "{"+many.String()+`"name":"gophers"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, path)
		require.Contains(t, res.Body.String(), "The JSON object has more than 500 fields.", path)
	}
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM communities"))
	res := ann.PostBody("/communities", "application/json", `{"name":"gophers","NAME":"ferris","Title":"Ferris"}`)
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, "gophers", s.One("SELECT title FROM communities"), "names in other letters are other names")
}

// TestTruthValuesAndNumbers: what /api.json says is a truth value or a number is taken as one, as a text, and in a form.
func TestTruthValuesAndNumbers(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	id := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text", "tags", "go")))[0]
	s.Member("cal") // whom ben blocks and does not follow: the order of a map is any
	ben := s.Member("ben")
	ben.Header.Set("Accept", "application/json")
	response := func(path, body string) (status int, response map[string]any) {
		res := ben.PostBody(path, "application/json", body)
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &response), res.Body.String())
		return res.Code, response
	}
	for path, it := range map[string]struct{ fields, said string }{
		"/subscribe": {`"community":"gophers",`, "on"}, "/follow": {`"user":"ann",`, "on"}, "/tags/follow": {`"tag":"go",`, "on"},
		"/block": {`"user":"cal",`, "on"}, "/save": {`"target":"` + id + `",`, "saved"}, "/hide": {`"target":"` + id + `",`, "hidden"},
		"/settings/filters": {`"kind":"words","value":"casino",`, ""}, "/seen": {"", "hide"},
	} {
		on := "on"
		if path == "/seen" {
			on = "hide"
		}
		for _, value := range []string{`true`, `false`, `1`, `0`, `1.0`, `0e0`, `"1"`, `"0"`, `"true"`, `"false"`} {
			status, said := response(path, "{"+it.fields+`"`+on+`":`+value+"}")
			require.Equal(t, http.StatusOK, status, "%s %s: %v", path, value, said)
			if it.said != "" {
				require.Equal(t, strings.ContainsAny(value, "1t"), said[it.said], "%s %s", path, value)
			}
		}
		for _, value := range []string{`2`, `-1`, `"yes"`, `1.5`, `"True"`} {
			status, said := response(path, "{"+it.fields+`"`+on+`":`+value+"}")
			require.Equal(t, http.StatusUnprocessableEntity, status, "%s %s: %v", path, value, said)
		}
		form := strings.NewReplacer(`"`, "", ":", "=", ",", "&").Replace(it.fields) + on + "=true"
		res := ben.PostBody(path, "application/x-www-form-urlencoded", form)
		require.Equal(t, http.StatusOK, res.Code, "%s: %s", path, res.Body.String())
	}
	for value, mine := range map[string]float64{`1`: 1, `-1`: -1, `0`: 0, `"1"`: 1, `1.0`: 1, `-1e0`: -1, `10e-1`: 1} {
		status, said := response("/vote", `{"target":"`+id+`","value":`+value+"}")
		require.Equal(t, http.StatusOK, status, value)
		require.Equal(t, mine, said["my_vote"], value)
	}
	for _, value := range []string{`true`, `2`, `1.5`, `"up"`, `1e400`} {
		status, said := response("/vote", `{"target":"`+id+`","value":`+value+"}")
		require.Equal(t, http.StatusUnprocessableEntity, status, value)
		require.Equal(t, "value", said["error"].(map[string]any)["field"], value)
	}
}

// TestEditsThatSayNoRevision: a program may leave it out, however often the text was edited. Who names one is told of another edit.
func TestEditsThatSayNoRevision(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	place := ann.MustPost("/comment", "post", post, "body", "A comment")
	comment := place[strings.LastIndex(place, "#c-")+3:]
	ann.Header.Set("Accept", "application/json")
	for target, field := range map[string]string{post: "text", comment: "body"} {
		for _, text := range []string{"once", "twice", "thrice"} {
			res := ann.Post("/edit", "target", target, field, text)
			require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		}
		res := ann.Post("/edit", "target", target, field, "again", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, res.Body.String())
	}
}

// TestMorePicturesThanThereCanBe: none is left out without a word.
func TestMorePicturesThanThereCanBe(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	ann.Header.Set("Accept", "application/json")
	for path, fields := range map[string][]string{
		"/submit": {"community", "gophers", "title", "Eleven"}, "/drafts": {"community", "gophers", "title", "Eleven"},
		"/edit": {"target", post, "text", "Eleven"}, "/comment": {"post", post, "body", "Eleven"},
	} {
		for _, beyond := range []string{"picture-11", "picture-12", "picture-99"} {
			res := ann.Post(path, append(fields, beyond, workertest.Sum(11))...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%s %s: %s", path, beyond, res.Body.String())
			require.Contains(t, res.Body.String(), `"field":"pictures"`, path)
		}
	}
}
