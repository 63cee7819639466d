package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// issueForm has the keys that GitHub knows in a form for issues, as far as the forms of docs/templates/issues use them.
type issueForm struct {
	Name, Description string
	Labels            []string
	Body              []struct {
		Type, ID   string
		Attributes struct {
			Label, Description, Placeholder, Value, Render string
			Multiple                                       bool
			Options                                        []any // texts in a dropdown, maps with a label in checkboxes
		}
		Validations struct{ Required bool }
	}
}

type issueConfig struct {
	Blank bool                                `yaml:"blank_issues_enabled"`
	Links []struct{ Name, URL, About string } `yaml:"contact_links"`
}

// TestIssueForms checks the forms by GitHub's rules, because GitHub drops a form with an unknown or missing key.
func TestIssueForms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../docs/templates/issues/*.yml")
	require.NoError(t, err)
	require.Len(t, files, 3)
	id := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		decoder := yaml.NewDecoder(strings.NewReader(string(text)))
		decoder.KnownFields(true)
		if filepath.Base(file) == "config.yml" {
			var config issueConfig
			require.NoError(t, decoder.Decode(&config), file)
			require.NotEmpty(t, config.Links)
			for _, link := range config.Links {
				require.NotEmpty(t, link.Name)
				require.NotEmpty(t, link.About)
				require.Regexp(t, `^https://github\.com/OWNER/REPOSITORY/`, link.URL)
			}
			require.Contains(t, config.Links[0].URL, "/security/policy")
			continue
		}
		var form issueForm
		require.NoError(t, decoder.Decode(&form), file)
		require.NotEmpty(t, form.Name, file)
		require.NotEmpty(t, form.Description, file)
		var ids, labels []string
		for _, element := range form.Body {
			attributes := element.Attributes
			if element.Type == "markdown" {
				require.NotEmpty(t, attributes.Value, file)
				require.Empty(t, element.ID, file)
				continue
			}
			require.Contains(t, []string{"input", "textarea", "dropdown", "checkboxes"}, element.Type, file)
			require.NotEmpty(t, attributes.Label, "%s: %s", file, element.ID)
			require.Regexp(t, id, element.ID, file)
			ids, labels = append(ids, element.ID), append(labels, attributes.Label)
			var options []string
			for _, option := range attributes.Options {
				if element.Type == "checkboxes" {
					require.IsType(t, map[string]any{}, option, "%s: %s", file, element.ID)
					option = option.(map[string]any)["label"]
				}
				require.IsType(t, "", option, "%s: %s", file, element.ID)
				options = append(options, option.(string))
			}
			choice := element.Type == "dropdown" || element.Type == "checkboxes"
			require.Equal(t, choice, len(options) > 0, "%s: only a choice has options: %s", file, element.ID)
			require.NotContains(t, options, "")
			requireDistinct(t, options)
		}
		require.NotEmpty(t, ids, file)
		requireDistinct(t, ids)
		requireDistinct(t, labels)
	}
}

func requireDistinct(t *testing.T, texts []string) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(texts))
	require.Equal(t, sorted, slices.Compact(slices.Clone(sorted)))
}
