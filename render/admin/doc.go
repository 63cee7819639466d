// Package admin renders the pages of administrators, a site's pages about itself, and the documentation for programs. The middleware checks
// the rights before: this package checks none.
package admin
