// Package inbox has the handlers for a member's inbox, and notifies members by mail and push. Its Consume functions do the jobs of the
// outbox. Each may run twice.
package inbox

import (
	"plaza/data/accounts/credentials"
	"plaza/data/content/posts"
	"plaza/data/moderation"
	"plaza/worker/links"
	"plaza/worker/view"
)

// Handlers has the handlers for a member's inbox.
type Handlers struct {
	*view.Views
	Credentials *credentials.Store
	Moderation  *moderation.Store
	Posts       *posts.Store
	Web         *links.Client
	// Resolver is a DNS resolver over HTTPS with responses in JSON; "" for none.
	Resolver string
}
