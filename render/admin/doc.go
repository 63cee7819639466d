// Package admin renders the pages of administrators, the site's pages about itself, and the API documentation. The middleware checks the
// rights; this package checks none.
package admin
