package communities

import (
	"hash/fnv"
	"strings"
	"sync"

	"plaza/data"
)

// DefaultColour is the colour a community has until its moderators choose one.
func DefaultColour(name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(name)))
	return data.Palette[h.Sum32()%uint32(len(data.Palette))].Hex
}

// Limits of the cache of chosen colours.
const (
	colourStep = 1000   // changes that a page reads at most
	colourMax  = 100000 // communities; any others have their DefaultColour
)

// colours are the colours and icons that moderators have chosen. A post in a mixed listing stores only its community's name, so its page
// takes both from here, without a look-up for each post. Every page with such a listing also reads the changes since the last such page;
// usually there are none. So a new colour or icon is on the next page of any instance, and no post has to be written.
type colours struct {
	mu       sync.Mutex      // never held across I/O
	revision int64           // of the settings; all changes up to it are known
	chosen   map[string]look // by the community's key
}

// look is the appearance of a community's icon.
type look struct {
	colour uint8  // index in data.Palette
	icon   string // sum of a picture, "" for none
}

// Index communities_revision.
const changedColours = `SELECT c.revision, c.name_key, c.colour, c.icon FROM communities c WHERE c.revision > :known ORDER BY c.revision
  LIMIT :step`

// FindColourChanges reads along with a page the changes since the last call, for Colour and Icon.
func (s *Store) FindColourChanges(r *data.Read) {
	s.colours.mu.Lock()
	known := s.colours.revision
	s.colours.mu.Unlock()
	r.Find(changedColours, data.Args{"known": known, "step": colourStep}, func(row *data.Row) {
		s.colours.put(row.Int(), row.Text(), row.Text(), row.Text())
	})
}

// put caches one change; changes come in the order of their revisions. It skips one that another page has read already.
func (c *colours) put(revision int64, key, hex, icon string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if revision <= c.revision {
		return
	}
	c.revision = revision
	i := data.InPalette(hex)
	_, known := c.chosen[key]
	if i < 0 || !known && len(c.chosen) >= colourMax {
		return
	}
	if c.chosen == nil {
		c.chosen = map[string]look{}
	}
	c.chosen[strings.Clone(key)] = look{uint8(i), strings.Clone(icon)} // clones: the texts are parts of the whole response
}

// Colour returns the colour of a community by its name, as of the last FindColourChanges.
func (s *Store) Colour(name string) string {
	s.colours.mu.Lock()
	defer s.colours.mu.Unlock()
	if len(s.colours.chosen) > 0 {
		if l, ok := s.colours.chosen[strings.ToLower(name)]; ok {
			return data.Palette[l.colour].Hex
		}
	}
	return DefaultColour(name)
}

// Icon returns the sum of the picture that is a community's icon, as of the last FindColourChanges; "" for none.
func (s *Store) Icon(name string) string {
	s.colours.mu.Lock()
	defer s.colours.mu.Unlock()
	if len(s.colours.chosen) == 0 {
		return ""
	}
	return s.colours.chosen[strings.ToLower(name)].icon
}
