//go:build js && wasm

package edge

import "github.com/syumai/workers/cloudflare"

// getenv returns a variable or secret; "" if it is not set.
func getenv(name string) string {
	if value := cloudflare.GetBinding(name); value.Truthy() {
		return value.String()
	}
	return ""
}
