package weburl_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/protocol/weburl"
)

func TestKey(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a":                                       "example.org/a",
		"http://example.org/a":                                        "example.org/a",
		"HTTPS://WWW.Example.ORG/a":                                   "example.org/a",
		"https://example.org./a":                                      "example.org/a",
		"https://example.org:443/a":                                   "example.org/a",
		"http://example.org:80/a":                                     "example.org/a",
		"https://example.org:8443/a":                                  "example.org:8443/a",
		"https://example.org/A":                                       "example.org/A",
		"https://example.org/a/":                                      "example.org/a",
		"https://example.org/":                                        "example.org",
		"https://example.org":                                         "example.org",
		"https://example.org/a/./b/../c":                              "example.org/a/c",
		"https://example.org/a#part":                                  "example.org/a",
		"https://example.org/a?b=2&a=1":                               "example.org/a?a=1&b=2",
		"https://example.org/a?a=1&a=0":                               "example.org/a?a=0&a=1",
		"https://example.org/a?":                                      "example.org/a",
		"https://example.org/a/?q":                                    "example.org/a?q",
		"https://example.org/a?UTM_Source=x&id=7&fbclid=y&utm_term=z": "example.org/a?id=7",
		"https://example.org/a?gclid=x":                               "example.org/a",
		"https://example.org/a?utm=kept&reference=kept":               "example.org/a?reference=kept&utm=kept",
		"https://example.org/%7eann/%c3%a9?q=%41%2f":                  "example.org/~ann/é?q=A%2F",
		"https://example.org/?%%30a":                                  "example.org?%250a",
		"https://example.org/?a=100%":                                 "example.org?a=100%25",
		"https://example.org/?%75tm_source=x":                         "example.org",
		" https://example.org/a ":                                     "example.org/a",
		"https://www.com/":                                            "www.com",
		"javascript:alert(1)":                                         "",
		"mailto:ann@example.org":                                      "",
		"/a":                                                          "",
		"":                                                            "",
	} {
		require.Equal(t, want, weburl.Key(address), "%q", address)
	}
}

// TestKeysOfOnePage has addresses of one page in each line. Different lines have different keys.
func TestKeysOfOnePage(t *testing.T) {
	before := map[string]string{}
	for _, line := range []string{
		"https://example.org/#/page1 http://www.example.org#/page1/ https://example.org/#/page1?utm_source=x",
		"https://example.org/#/page2",
		"https://example.org/#!topic",
		"https://example.org/#!/topic",
		"https://example.org/ https://example.org/#top https://example.org/#/ https://example.org/#!/ https://example.org/#:~:text=a",
		"https://app.example/#/p?id=1 https://app.example/#/p?fbclid=x&id=1",
		"https://app.example/#/p?id=2",
		"https://münchen.de/ https://MÜNCHEN.de https://mu\u0308nchen.de https://xn--mnchen-3ya.de/",
		"https://example.org/caf\u00e9 https://example.org/cafe\u0301 https://example.org/caf%C3%A9 https://example.org/cafe%cc%81",
		"https://example.org/cafe",
		"https://example.org/?q=\u212b https://example.org/?q=%C3%85 https://example.org/?q=A%CC%8A",
		"https://example.org/100% https://example.org/100%25",
		"https://example.org/%u0430 https://example.org/%25u0430",
		"https://example.org/%2 https://example.org/%252",
		"https://example.org/a%2Fb https://example.org/a%2fb",
		"https://example.org/a/b https://example.org/a/%2e/b https://example.org/a/c/%2E./b/",
		"https://example.org/%FF",
		"https://example.org/\u00e9%2F https://example.org/%C3%A9%2F",
		"https://spam。example/ https://ｓｐａｍ.example https://spa\u00adm.example/",
		"http://127.0.0.1/ http://0x7f000001/ http://127.1",
		"https://youtu.be/dQw4w9WgXcQ https://www.youtube.com/watch?v=dQw4w9WgXcQ https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=42s " +
			"https://youtu.be/dQw4w9WgXcQ?si=Xy_1&t=9 https://youtube.com/shorts/dQw4w9WgXcQ?feature=share https://youtube.com/live/dQw4w9WgXcQ " +
			"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=5 https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD " +
			"https://www.youtube.com/watch?app=desktop&feature=youtu.be&v=dQw4w9WgXcQ#t=1m http://youtube.com/v/dQw4w9WgXcQ " +
			"https://youtu.be/watch?v=dQw4w9WgXcQ https://youtube.com/watch/dQw4w9WgXcQ https://gaming.youtube.com/watch?v=dQw4w9WgXcQ&lc=x",
		"https://youtu.be/dQw4w9WgXcq",
		"https://www.youtube.com/playlist?list=PL1 https://www.youtube.com/embed/videoseries?list=PL1 https://m.youtube.com/playlist?list=PL1&si=x",
		"https://www.youtube.com/results?search_query=a",
		"https://vimeo.com/123 https://player.vimeo.com/video/123?h=1 https://vimeo.com/channels/staffpicks/123",
		"https://dai.ly/x8abc https://www.dailymotion.com/video/x8abc https://www.dailymotion.com/embed/video/x8abc",
		"https://clips.twitch.tv/Some-Clip https://www.twitch.tv/ann/clip/Some-Clip?filter=clips https://m.twitch.tv/ann/clip/Some-Clip",
		"https://www.twitch.tv/videos/7?t=1h https://player.twitch.tv/?video=7 https://m.twitch.tv/videos/7 https://www.twitch.tv/ann/v/7",
		"https://twitter.com/ann/status/1?s=20 https://x.com/ann/status/1 https://mobile.twitter.com/Ann/status/1?t=x https://x.com/i/web/status/1 " +
			"https://x.com/ann/status/1/photo/2",
		"https://old.reddit.com/r/golang/comments/abc/a_title/ https://www.reddit.com/r/golang/comments/abc/?share_id=x https://redd.it/abc",
		"https://www.reddit.com/r/golang/comments/abc/a_title/def/",
		"https://en.m.wikipedia.org/wiki/Go?wprov=sfla1 https://en.wikipedia.org/wiki/Go#History",
		"https://de.wikipedia.org/wiki/Go",
		"https://www.amazon.co.uk/Some-Book/dp/B00X/ref=sr_1_1?keywords=a&qid=1 https://amazon.co.uk/dp/B00X https://www.amazon.co.uk/gp/product/B00X",
		"https://www.amazon.de/dp/B00X",
		"https://stackoverflow.com/q/42/7 https://stackoverflow.com/questions/42/how-to#43 https://stackoverflow.com/questions/42",
		"https://stackoverflow.com/questions/tagged/go",
		"https://stackoverflow.com/questions/tagged/rust",
		"https://unix.stackexchange.com/questions/tagged/bash",
		"https://unix.stackexchange.com/questions/tagged/zsh",
		"https://unix.stackexchange.com/questions/42/how-to https://unix.stackexchange.com/q/42",
		"https://vimeo.com/channels/staffpicks/videos",
		"https://vimeo.com/channels/music/videos",
		"https://www.ebay.de/itm/some-thing/42?hash=x https://www.ebay.de/itm/42",
		"https://www.ebay.de/itm/some-thing/offers",
		"https://www.ebay.de/itm/another-thing/offers",
		"https://www.instagram.com/reel/C1/?igsh=x https://instagram.com/p/C1 https://www.instagram.com/ann/reel/C1/?igshid=y",
		"https://open.spotify.com/track/4u?si=1 https://open.spotify.com/intl-de/track/4u",
		"https://blog.example/a?ref=hn&source=rss&utm_campaign=1&fbclid=2&_hsenc=3&REF=x https://blog.example/a",
		"https://blog.example/a?source_id=7",
		"https://github.com/a/b/commits?ref=main",
		"https://github.com/a/b/commits?ref=next",
		"https://gitlab.example.org/a/-/pipelines?ref=main",
		"https://gitlab.example.org/a/-/pipelines",
		"https://blog.example/watch?v=dQw4w9WgXcQ&t=1",
	} {
		addresses := strings.Fields(line)
		key := weburl.Key(addresses[0])
		require.NotEmpty(t, key, line)
		assert.Equal(t, "", before[key], "%s has the key %s, too", addresses[0], key)
		before[key] = addresses[0]
		for _, address := range addresses {
			assert.Equal(t, key, weburl.Key(address), "%q", address)
		}
		require.Equal(t, key, weburl.Key("https://"+key))
	}
}

func TestKeyOfAKeyIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := url.URL{Scheme: "https", Host: "example.org", Path: "/" + rapid.String().Draw(t, "path"),
			RawQuery: rapid.StringMatching(`[a-z0-9=&%._/-]{0,30}`).Draw(t, "query")}
		key := weburl.Key(u.String())
		if key == "" {
			return // an invalid address
		}
		require.Equal(t, key, weburl.Key("http://www."+key), "from %q", u.String())
		require.Equal(t, key, weburl.Key(u.String()+"#part"))
	})
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{"https://example.org/a?b=2&a=1#x", "http://[::1]:80/%", "https://x/%2e%2e/?&&=", "https://ä.example/%zz",
		"https://clips.twitch.tv/embed?clip=..", "https://clips.twitch.tv/embed?clip=a?ref=b", "https://clips.twitch.tv/embed?clip=a/",
		"https://youtu.be/a&b=%E2%89%A0\u0338#!/x?y", "https://a.example/%2F\u0307\u1fef%cc%81", "http://Youtu.Be/\u0338"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if key := weburl.Key(address); key != "" && weburl.Key("https://"+key) != key {
			t.Errorf("%q has the key %q, and that has %q", address, key, weburl.Key("https://"+key))
		}
	})
}
