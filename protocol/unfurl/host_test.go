package unfurl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainHost(t *testing.T) {
	for host, shown := range map[string]string{
		"go.dev": "go.dev", "": "", "аррӏе.com": "xn--80ak6aa92e.com", "bücher.DE": "xn--bcher-kva.DE", "www.例え.jp": "www.xn--r8jz45g.jp",
		"xn--80ak6aa92e.com": "xn--80ak6aa92e.com", strings.Repeat("ü", 300) + ".de": "", "a\xff.de": "",
	} {
		require.Equal(t, shown, PlainHost(host))
	}
}
