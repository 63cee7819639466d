package post

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/worker/request"
)

// PageTitle reads the title of the page behind a link, for the script of a post's form.
func (h *Handlers) PageTitle(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil { // for a session that is over, nobody is asked
		return err
	}
	link := strings.TrimSpace(c.Value("link"))
	if err := data.CheckAddress("link", "link", link); err != nil || link == "" {
		return data.Mistake("link", "Please write the address of a page first.")
	}
	title, err := h.Pictures.Title(c.R.Context(), c.ID, link)
	if err != nil || title == "" {
		return data.Mistake("link", "The title of this page can't be read. Please write one.")
	}
	return c.JSON(http.StatusOK, map[string]any{"title": title})
}
