// Package admin shows the pages of administrators, the pages a site writes about itself, and the list of what programs may call.
package admin
