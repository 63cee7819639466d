package request

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"plaza/data/site"
	"plaza/locale"
)

// SiteName returns the name of the site.
func (s *Server) SiteName() string {
	if name := s.Settings.Now().Name; name != "" {
		return name
	}
	return s.DeployedName
}

// About returns one line about the site.
func (s *Server) About() locale.Text {
	return cmp.Or(locale.Verbatim(s.Settings.Now().Tagline), "Communities and what they talk about.")
}

// Logo returns the end of the address of the site's logo; "" for none. Each logo has its own address, so that no cached copy of
// the previous logo is shown.
func Logo(set *site.Settings) string {
	if set.Logo == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(set.Logo))
	return hex.EncodeToString(sum[:8])
}
