package posts_test

import (
	"testing"

	"plaza/data/content/posts"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Assembled: map[string]string{"Activity": posts.Activity}})
}
