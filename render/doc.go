// Package render turns view models into HTML with gomponents. It holds pages, the
// components they share and Markdown; it does no I/O, reads no clock and knows
// nothing of HTTP or of where a view model came from.
package render
