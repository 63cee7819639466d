package site

import (
	"regexp"
	"slices"
	"strings"

	"plaza/data"
	"plaza/locale"
)

// placeShape is the syntax of the codes: a country by ISO 3166-1, or a part of a country by ISO 3166-2.
var placeShape = regexp.MustCompile(`^[A-Z][A-Z0-9](-[A-Z0-9]{1,3})?$`)

// tidyPlaces returns the codes in capitals, sorted and without duplicates.
func tidyPlaces(codes []string) ([]string, error) {
	var tidy []string
	for _, code := range codes {
		if code = strings.ToUpper(strings.TrimSpace(code)); code == "" {
			continue
		}
		if !placeShape.MatchString(code) {
			return nil, data.Mistake("closed", locale.With("{} is not the code of a country, such as FR, or of a region, such as US-MS.", code))
		}
		tidy = append(tidy, code)
	}
	slices.Sort(tidy)
	tidy = slices.Compact(tidy)
	return tidy, data.MistakeIf(len(tidy) > placesMax, "closed", "Please name at most 300 countries and regions.")
}

// IsClosedTo reports whether the site is closed to a place, such as "US-MS": to the region or to its country. "" is nowhere.
func (s *Settings) IsClosedTo(place string) bool {
	country, _, _ := strings.Cut(place, "-")
	return place != "" && (slices.Contains(s.Closed, place) || slices.Contains(s.Closed, country))
}
