package worker

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"plaza/data/site"
)

// siteName is what the site is called.
func (a *App) siteName() string {
	if name := a.settings.Now().Name; name != "" {
		return name
	}
	return a.SiteName
}

// about is one line about the site.
func (a *App) about() string {
	return cmp.Or(a.settings.Now().Tagline, "Communities and what they talk about.")
}

// logo is the end of the address of the picture that stands for the site, "" for none. Another picture has another address, so that copies of
// the one before are not shown.
func logo(set *site.Settings) string {
	if set.Logo == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(set.Logo))
	return hex.EncodeToString(sum[:8])
}
