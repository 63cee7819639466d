// Package feeds writes what programs read: Atom feeds and the sitemap.
package feeds
