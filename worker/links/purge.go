package links

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// Purge empties the cache of a zone at Cloudflare, in all its data centres. The zero value does nothing: the edge keeps copies until
// they expire.
type Purge struct {
	Web         Web
	Zone, Token string // the token needs the permission Cache Purge of this zone, and no other
}

// Configured reports whether there is a zone to purge.
func (p Purge) Configured() bool { return p.Zone != "" && p.Token != "" }

// Everything purges the whole cache of the zone (https://developers.cloudflare.com/api/resources/cache/methods/purge/). If Cloudflare
// refuses, the error has the beginning of its response.
func (p Purge) Everything(ctx context.Context) error {
	if !p.Configured() {
		return nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.cloudflare.com/client/v4/zones/"+p.Zone+"/purge_cache",
		bytes.NewBufferString(`{"purge_everything":true}`))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+p.Token)
	r.Header.Set("Content-Type", "application/json")
	res, err := p.Web.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 500))
	return fmt.Errorf("purging the edge: status %d: %s", res.StatusCode, body)
}
