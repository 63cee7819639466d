package apidoc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Route is a route as the OpenAPI document describes it.
type Route struct {
	Method, Pattern string
	Parameters      []string // of the query
	Member          bool     // only for members
	Scope           string   // that a token needs; "" if no token can use it
	Max             int      // how often it may be used
	Per             time.Duration
	JSON            bool // the page can also be JSON
}

// Action is the line of an action in docs/api.md.
type Action struct{ Fields, Response string }

// Document returns the OpenAPI document of a site with these routes. It has what programs can do with a token: the pages in JSON, and the
// actions that accept one. shapes are regular expressions of parameters.
func Document(routes []Route, actions map[string]Action, shapes map[string]string) ([]byte, error) {
	paths := map[string]map[string]any{}
	for _, rt := range routes {
		if rt.Pattern == "/api" {
			continue // this document
		}
		address := strings.TrimSuffix(rt.Pattern, "{$}")
		var op map[string]any
		var err error
		switch {
		case rt.JSON:
			address += ".json"
			op, err = readOperation(rt, shapes)
		case rt.Method != "GET" && rt.Scope != "":
			op, err = actOperation(rt, actions)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		if paths[address] == nil {
			paths[address] = map[string]any{}
		}
		paths[address][strings.ToLower(rt.Method)] = op
	}
	return json.MarshalIndent(map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{"title": "Plaza", "version": "1",
			"description": "Communities, posts, comments and votes. Reading is free for everybody; what is for members, and every action, takes a " +
				"token from `/settings/tokens`."},
		"servers": []any{map[string]any{"url": "/"}},
		"tags": []any{
			map[string]any{"name": "Reading", "description": "Pages as JSON: the address of the page, with `.json` behind its path."},
			map[string]any{"name": "Actions", "description": "What changes something. Fields are sent as a JSON object or as a form."},
		},
		"paths": paths,
		"components": map[string]any{
			"schemas":   schemas(),
			"responses": map[string]any{"Error": errorResponse()},
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer",
				"description": "A token of `/settings/tokens`. Its scopes are `read`, `write` and `moderate`."}},
		},
	}, "", " ")
}

func ref(kind, name string) map[string]any {
	return map[string]any{"$ref": "#/components/" + kind + "/" + name}
}

func security(member bool) []any {
	token := map[string]any{"token": []any{}}
	if member {
		return []any{token}
	}
	return []any{map[string]any{}, token}
}

func content(schema map[string]any, kinds ...string) map[string]any {
	c := map[string]any{}
	for _, kind := range kinds {
		c[kind] = map[string]any{"schema": schema}
	}
	return c
}

func responses(schema map[string]any, headers map[string]any) map[string]any {
	success := map[string]any{"description": "It worked.", "content": content(schema, "application/json")}
	if headers != nil {
		success["headers"] = headers
	}
	return map[string]any{"200": success, "4XX": ref("responses", "Error"), "503": ref("responses", "Error")}
}

func readOperation(rt Route, shapes map[string]string) (map[string]any, error) {
	for _, r := range reads {
		if r.pattern != rt.Pattern {
			continue
		}
		list := pathParameters(rt.Pattern)
		for _, name := range rt.Parameters {
			p := parameter("query", name)
			if name == "t" && rt.Pattern == "/search" {
				p["description"] = "The time; all of it if there is none."
			}
			if name == "sort" && len(r.sorts) > 0 {
				p["schema"] = map[string]any{"type": "string", "enum": r.sorts}
			} else if shape := shapes[name]; regexp.MustCompile(`^[a-z|]+$`).MatchString(shape) {
				p["schema"] = map[string]any{"type": "string", "enum": strings.Split(shape, "|")}
			}
			list = append(list, p)
		}
		return map[string]any{"operationId": r.id, "summary": r.says, "tags": []any{"Reading"}, "parameters": list,
			"security":  security(rt.Member),
			"responses": responses(ref("schemas", nameOf(reflect.TypeOf(r.model))), nil)}, nil
	}
	return nil, fmt.Errorf("apidoc: the table reads lacks %s", rt.Pattern)
}

var parameterTexts = map[string]string{
	"community": "Name of a community.", "user": "Username.", "slug": "The post's name in its community's addresses.",
	"comment": "Id of a comment.", "conversation": "Id of a conversation.", "decision": "Id of a decision.",
	"after": "Cursor of the page, as the page before has it in `after`.", "left": "How many comments follow; of the address in `more`.",
	"t": "The time; a day if there is none.", "sort": "The order.", "url": "A web address.", "post": "Id of a post.",
	"but":   "Id of a post that is left out.",
	"page":  "The last part of the page's address.",
	"flair": "Id of a flair, whose posts are listed alone.",
	"tags":  "Up to three tags, with `+` between them.", "q": "The words to look for, or the beginning of the name.",
	"type": "What is looked for; posts if there is none.", "author": "Username of the author.", "kind": "Kind of the posts.",
	"tag": "A tag of the posts.", "domain": "Host that the posts link to.",
	"month": "The month, such as `2026-11`.",
	"half":  "The half-year, such as `2026-2`.",
}

func parameter(in, name string) map[string]any {
	text := parameterTexts[name]
	if text == "" {
		text = "See the page."
	}
	return map[string]any{"name": name, "in": in, "required": in == "path", "description": text, "schema": map[string]any{"type": "string"}}
}

// pathParameters returns the parameters in a path.
func pathParameters(pattern string) []any {
	list := []any{}
	for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(pattern, -1) {
		list = append(list, parameter("path", m[1]))
	}
	return list
}

// schemas returns the schemas of all view models, and of errors.
func schemas() map[string]any {
	all := map[string]any{"Error": map[string]any{
		"type": "object", "required": []string{"code", "message"}, "description": "What went wrong.",
		"properties": map[string]any{
			"code":      map[string]any{"type": "string", "description": "What kind of error it is."},
			"message":   map[string]any{"type": "string", "description": "A sentence for people."},
			"field":     map[string]any{"type": "string", "description": "The field that is wrong, if it is one."},
			"permalink": map[string]any{"type": "string", "description": "What the same `Idempotency-Key` has made before."},
			"mistakes": map[string]any{"type": "array", "description": "All that is wrong, if it is more.",
				"items": map[string]any{"type": "object"}},
		},
	}}
	for _, t := range objects() {
		properties, required := map[string]any{}, []string{}
		for _, f := range allFields(t) {
			properties[f.Name] = f.schema()
			required = append(required, f.Name)
		}
		all[nameOf(t)] = map[string]any{"type": "object", "properties": properties, "required": required}
	}
	return all
}

func (f *field) schema() map[string]any {
	schema := schemaOf(f.Source.Type)
	if f.Computed || f.Source.Type.Kind() == reflect.String {
		schema = map[string]any{"type": "string"}
	}
	if nullable := strings.Contains(f.says, "null"); nullable && schema["type"] != nil {
		schema["type"] = []any{schema["type"], "null"}
	}
	schema["description"] = f.says
	return schema
}

var timeType = reflect.TypeFor[time.Time]()

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Slice:
		element := t.Elem()
		if element.Kind() == reflect.Pointer { // no element is null
			element = element.Elem()
		}
		return map[string]any{"type": "array", "items": schemaOf(element)}
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return map[string]any{"oneOf": []any{ref("schemas", nameOf(t.Elem())), map[string]any{"type": "null"}}}
		}
	case reflect.Struct:
		if t == timeType {
			return map[string]any{"type": "string", "format": "date-time"}
		}
		return ref("schemas", nameOf(t))
	}
	return map[string]any{"type": "string"}
}

func errorResponse() map[string]any {
	return map[string]any{
		"description": "It did not work.",
		"headers": map[string]any{"Retry-After": map[string]any{"description": "Seconds to wait, with 429 and 503.",
			"schema": map[string]any{"type": "integer"}}},
		"content": content(map[string]any{"type": "object", "required": []string{"error"},
			"properties": map[string]any{"error": ref("schemas", "Error")}}, "application/json"),
	}
}
