package account_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestDisplay(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	visitor := s.Visitor()
	visitor.Jar = map[string]string{}

	t.Run("of a visitor is kept by the device", func(t *testing.T) {
		require.Equal(t, "/", visitor.MustPost("/display", "density", "compact"))
		require.Equal(t, "compact.", visitor.Jar["display"])
		require.Equal(t, "/", visitor.MustPost("/display", "theme", "dark"))
		require.Equal(t, "compact.dark", visitor.Jar["display"])
		page := visitor.Page("/hot")
		require.Contains(t, page, `<html lang="en" data-theme="dark" data-density="compact">`)
		require.Contains(t, page, `<button name="density" value="compact" aria-pressed="true">`)
		require.Contains(t, page, `<button name="theme" value="" aria-pressed="false">`)
		require.Contains(t, visitor.Page("/about"), `<html lang="en" data-theme="dark" data-density="compact">`)
		visitor.MustPost("/display", "theme", "")
		visitor.MustPost("/display", "density", "")
		require.Contains(t, visitor.Page("/hot"), `<html lang="en">`)
		require.Contains(t, s.Visitor().Page("/hot"), `<html lang="en">`)
	})
	t.Run("of a member is kept in the account", func(t *testing.T) {
		require.Equal(t, "/", ann.MustPost("/display", "density", "cards"))
		require.Equal(t, "/", ann.MustPost("/display", "theme", "light"))
		require.Contains(t, ann.Page("/hot"), `<html lang="en" data-theme="light" data-density="cards">`)
		require.Contains(t, ann.Page("/settings"), `<option value="cards" selected>`)
		ann.ReadsWith("density", "compact", "theme", "dark", "posts", "new")
		require.Contains(t, ann.Page("/communities"), `<html lang="en" data-theme="dark" data-density="compact">`)
		ann.MustPost("/display", "theme", "")
		require.Contains(t, ann.Page("/hot"), `<html lang="en" data-density="compact">`)
		require.Contains(t, ann.Page("/settings"), `<option value="new" selected>`, "other choices stay")
	})
	t.Run("is one of the values that there are", func(t *testing.T) {
		for _, who := range []*workertest.Browser{ann, visitor} {
			for _, fields := range [][]string{{"density", "x"}, {"theme", "compact"}} {
				require.Equal(t, http.StatusUnprocessableEntity, who.Post("/display", fields...).Code)
			}
		}
		for _, value := range []string{"x.dark", "compact.x", "compact", `"><b>.dark`} {
			visitor.Jar["display"] = value
			page := visitor.Page("/hot")
			require.NotContains(t, page, `data-density="x`)
			require.NotContains(t, page, "<b>.dark")
		}
	})
}
