// Package admin shows the pages of administrators, the pages a site writes about itself, and the list of what programs may call. Who may
// see them is decided before: a page of this package asks nobody.
package admin
