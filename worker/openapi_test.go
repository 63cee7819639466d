package worker_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker"
	"plaza/worker/api"
	"plaza/worker/api/apidoc"
)

// TestOpenAPI holds the document that is served to the routes table, to docs/api.md and to the view models.
func TestOpenAPI(t *testing.T) {
	created, err := apidoc.Document(worker.APIRoutes(), documentedActions(t), worker.Shapes())
	require.NoError(t, err)
	guide, err := apidoc.Guide(created)
	require.NoError(t, err)
	for name, created := range map[string][]byte{"api/openapi.json": created, "api/guide.tsv": guide} {
		if os.Getenv("PLAZA_UPDATE") != "" {
			require.NoError(t, os.WriteFile(name, created, 0o644))
		}
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, string(created) == string(b), "run PLAZA_UPDATE=1 go test ./worker -run TestOpenAPI")
	}
	if os.Getenv("PLAZA_UPDATE") != "" {
		var compressed bytes.Buffer
		w, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
		require.NoError(t, err)
		_, err = w.Write(created)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, os.WriteFile("api/openapi.json.gz", compressed.Bytes(), 0o644))
		t.Skip("the program has the new document from its next build on")
	}
	served, err := api.OpenAPI()
	require.NoError(t, err)
	require.True(t, string(created) == string(served), "run PLAZA_UPDATE=1 go test ./worker -run TestOpenAPI")
}

// documentedActions are the lines of docs/api.md, by pattern.
func documentedActions(t *testing.T) map[string]apidoc.Action {
	t.Helper()
	doc, err := os.ReadFile("../docs/api.md")
	require.NoError(t, err)
	lines := map[string]apidoc.Action{}
	for _, line := range strings.Split(string(doc), "\n") {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| `POST "), "`"); ok && strings.HasPrefix(line, "| `POST ") {
			columns := strings.Split(rest, "|")
			require.Len(t, columns, 6, line)
			lines[name] = apidoc.Action{Fields: strings.TrimSpace(columns[1]), Response: strings.TrimSpace(columns[2])}
		}
	}
	return lines
}

// openAPI is the document that is served.
type openAPI struct {
	Paths map[string]map[string]struct {
		OperationID string
		Responses   map[string]struct {
			Content map[string]struct{ Schema apiSchema }
		}
	}
	Components struct{ Schemas map[string]apiSchema }
}

type apiSchema struct {
	Ref        string `json:"$ref"`
	Type       any
	OneOf      []apiSchema
	Items      *apiSchema
	Properties map[string]apiSchema
	Required   []string
}

func readOpenAPI(t *testing.T) (d openAPI) {
	t.Helper()
	document, err := api.OpenAPI()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(document, &d))
	return d
}

// holds fails when a value is not as a schema says, or has a field that the schema does not name.
func (d openAPI) holds(t *testing.T, s apiSchema, value any, place string) {
	t.Helper()
	if s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	if len(s.OneOf) > 0 { // an object, or nothing
		if value != nil {
			d.holds(t, s.OneOf[0], value, place)
		}
		return
	}
	kinds := map[string]bool{}
	if list, ok := s.Type.([]any); ok {
		for _, kind := range list {
			kinds[kind.(string)] = true
		}
	} else if kind, ok := s.Type.(string); ok {
		kinds[kind] = true
	}
	switch v := value.(type) {
	case nil:
		require.True(t, kinds["null"], "%s is null", place)
	case string:
		require.True(t, kinds["string"], "%s is a text", place)
	case bool:
		require.True(t, kinds["boolean"], "%s is a truth value", place)
	case float64:
		require.True(t, kinds["integer"] && v == math.Trunc(v), "%s is the number %v", place, v)
	case []any:
		require.True(t, kinds["array"], "%s is a list", place)
		for _, item := range v {
			d.holds(t, *s.Items, item, place+"[]")
		}
	case map[string]any:
		require.True(t, kinds["object"], "%s is an object", place)
		for name, part := range v {
			require.Contains(t, s.Properties, name, place)
			d.holds(t, s.Properties[name], part, place+"."+name)
		}
		for _, name := range s.Required {
			require.Contains(t, v, name, place)
		}
	}
}
