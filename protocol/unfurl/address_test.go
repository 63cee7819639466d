package unfurl

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAddressesThatMayBeFetched(t *testing.T) {
	for raw, want := range map[string]string{
		"http://go.dev":                       "http://go.dev/",
		"HTTPS://Go.DEV./blog?a=1&b=%20#part": "https://go.dev/blog?a=1&b=%20",
		"http://go.dev:80/":                   "http://go.dev/",
		"https://go.dev:443/x":                "https://go.dev/x",
		"https://go.dev:/x":                   "https://go.dev/x",
		"https://go.dev?q=ä":                  "https://go.dev/?q=ä",
		"https://de.wikipedia.org/wiki/Größe": "https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe",
		"https://en.wikipedia.org/wiki/A_(b)": "https://en.wikipedia.org/wiki/A_(b)",
		"https://example.org/a%2Fb":           "https://example.org/a%2Fb",
		"https://a.github.io/":                "https://a.github.io/", "https://a.b.co.uk/": "https://a.b.co.uk/",
		"https://a.com.ck/": "https://a.com.ck/", "https://a.box/": "https://a.box/",
		"https://my_blog.tumblr.com/":                    "https://my_blog.tumblr.com/",
		"https://bücher.de/":                             "https://xn--bcher-kva.de/",
		"https://BÜCHER.de/":                             "https://xn--bcher-kva.de/",
		"https://xn--bcher-kva.de/":                      "https://xn--bcher-kva.de/",
		"https://президент.рф/":                          "https://xn--d1abbgf6aiiy.xn--p1ai/",
		"https://r3---sn-apo3qvuoxuxbt.googlevideo.com/": "https://r3---sn-apo3qvuoxuxbt.googlevideo.com/",
		"https://-my-.tumblr.com/":                       "https://-my-.tumblr.com/",
		"https://i❤.ws/":                                 "https://xn--i-7iq.ws/",
		"https://faß.de/":                                "https://xn--fa-hia.de/",
		"https://דוגמה.co.il/":                           "https://xn--6dbbec0c.co.il/",
		"https://例え.jp/":                                 "https://xn--r8jz45g.jp/",
		"http://8.8.8.8/":                                "http://8.8.8.8/",
		"http://134744072/":                              "http://8.8.8.8/",
		"http://0x8.010.8.8/":                            "http://8.8.8.8/",
		"http://[2606:4700::1111]/":                      "http://[2606:4700::1111]/",
		"http://[2606:4700:0:0:0:0:0:1111]:80":           "http://[2606:4700::1111]/",
		"https://localhost.example.org/":                 "https://localhost.example.org/",
		"https://1.1.1.1.sslip.io/":                      "https://1.1.1.1.sslip.io/",
	} {
		a, err := Parse(raw)
		require.NoError(t, err, raw)
		assert.Equal(t, want, a.URL)
		again, err := Parse(a.URL)
		require.NoError(t, err, raw)
		assert.Equal(t, a.URL, again.URL, "the one form stays as it is")
	}
}

func TestAddressesThatMayNot(t *testing.T) {
	for _, raw := range []string{
		// private, local and special IPv4 addresses
		"http://127.0.0.1/", "http://127.255.255.254/", "http://10.1.2.3/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.0.1/",
		"http://169.254.169.254/latest/meta-data/", "http://100.64.0.1/", "http://100.127.255.255/", "http://0.0.0.0/", "http://0.1.2.3/",
		"http://192.0.0.1/", "http://192.0.2.1/", "http://192.88.99.1/", "http://198.18.0.1/", "http://198.19.255.255/", "http://198.51.100.7/",
		"http://203.0.113.9/", "http://224.0.0.1/", "http://239.255.255.250/", "http://240.0.0.1/", "http://255.255.255.255/",
		// the same in other forms
		"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0X7F.0.0.1/", "http://0177.0.0.1/", "http://127.1/",
		"http://127.0.1/",
		"http://017700000001/", "http://127.0.0.1./", "http://0/", "http://0x/", "http://0x0/", "http://2852039166/", "http://0xa9fea9fe/",
		"http://00000177.0.0.1/", "http://127.0.0.0x1/", "http://%31%32%37.0.0.1/", "http://127%2e0.0.1/", "http://１２７.0.0.1/",
		"http://127。0。0。1/",
		"http://127．0．0．1/", "http://①②⑦.⓪.⓪.①/", "http://xn--127-.0.0.1/", "http://𝟏𝟐𝟕.0.0.1/",
		// no address of four parts, though browsers parse it as one
		"http://256.1.1.1/", "http://1.2.3.4.5/", "http://08.1.1.1/", "http://4294967296/", "http://99999999999999999999/",
		"http://1.2.3.09/", "http://foo.1/", "http://foo.0x1/", "http://a.b.0/",
		// IPv6
		"http://[::]/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[fc00::1]/", "http://[fd12:3456::1]/", "http://[fe80::1]/",
		"http://[febf::1]/",
		"http://[fec0::1]/", "http://[ff02::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:8.8.8.8]/",
		"http://[::127.0.0.1]/",
		"http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::a00:1]/", "http://[2002:7f00:1::]/", "http://[2002:a00:1::1]/",
		"http://[2001:0:4136:e378::]/",
		"http://[2001:db8::1]/", "http://[3fff::1]/", "http://[100::1]/", "http://[fe80::1%25eth0]/", "http://[::ffff:0:127.0.0.1]/",
		"http://[5f00::1]/",
		"http://[4000::1]/",
		// names of no server, or of local networks
		"http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://a.b.localhost./", "http://router.local/",
		"http://metadata.google.internal/", "http://nas.home.arpa/", "http://x.test/", "http://x.invalid/", "http://x.example/",
		"http://x.onion/",
		"http://fritz.lan/", "http://kubernetes.default.svc/", "http://kubernetes.default.svc.cluster.local/", "http://a.consul/",
		"http://fritz.box/", "http://nas.fritz.box./",
		"http://x.svc/", "http://vault.service.consul/", "http://printer.home/", "http://x.docker/", "http://wiki.intra/", "http://x.lokal/",
		"http://a.xn--p1aix/", "http://router/", "http://com/", "http://server.corp/", "http://loc%61lhost/", "http://ｌｏｃａｌｈｏｓｔ/",
		"http://x.ｌｏｃａｌ/",
		"http://ⓛocalhost/", "http://xn--localhost-/", "http://x.xn--local-/", "http://x.xn--internal-/", "http://x.xn--lcal-/",
		// invalid hosts, or hosts that parsers read in several ways
		"http://", "http:///", "http:///go.dev/", "http:go.dev", "http:/go.dev", "//go.dev/", "go.dev", "http://a..de/", "http://.de/",
		"http://go.dev../",
		"http://a b.de/", "http://go.dev\\@127.0.0.1/", "http:\\\\go.dev/", "http://go.dev\t/", "http://go.dev\n/", " http://go.dev/",
		"http://go.dev/\x00",
		"http://go.dev,127.0.0.1/", "http://go!.dev/", "http://a%00.dev/", "http://a%2f.dev/", "http://xn--bcher-kva-.de/", "http://xn--.de/",
		"http://xn--ü.de/", "http://xn--a.de/", "http://bu\u0308cher.de/", "http://xn--bucher-xyd.de/", "http://ª.de/",
		"http://xn--BCHER-KVA\u00ad.de/", "http://aא.de/", "http://\u0301a.de/", "http://a\u200bb.de/", "http://a\u00adb.de/", "http://ﬁ.de/", "http://℀.de/", "http://" + strings.Repeat("a", 64) +
			".de/",
		"http://" + strings.Repeat("abcdefg.", 32) + "de/", "http://[::1/", "http://[go.dev]/", "http://\xff.de/",
		// schemes, ports and passwords
		"ftp://go.dev/", "file:///etc/passwd", "gopher://go.dev/", "javascript:alert(1)", "data:text/html,x", "https://go.dev:80/",
		"http://go.dev:443/",
		"http://go.dev:22/", "http://go.dev:8080/", "http://go.dev:0/", "http://go.dev:080/", "http://go.dev:99999/", "http://go.dev:x/",
		"http://ann@go.dev/", "http://ann:secret@go.dev/", "http://@go.dev/", "http://go.dev@127.0.0.1/", "http://127.0.0.1@go.dev/",
		"http://go.dev/" + strings.Repeat("x", 2048), "",
	} {
		a, err := Parse(raw)
		assert.Error(t, err, "%q became %q", raw, a.URL)
	}
}

func TestFollow(t *testing.T) {
	from, err := Parse("https://go.dev/a/b?q")
	require.NoError(t, err)
	for reference, want := range map[string]string{
		"/c": "https://go.dev/c", "c": "https://go.dev/a/c", "../c": "https://go.dev/c", "?x": "https://go.dev/a/b?x", "": "https://go.dev/a/b?q",
		"//example.org/x": "https://example.org/x", "http://example.org": "http://example.org/", "/../../x": "https://go.dev/x",
	} {
		a, err := from.Follow(reference)
		require.NoError(t, err, reference)
		assert.Equal(t, want, a.URL, reference)
	}
	for _, reference := range []string{"//127.0.0.1/", "//localhost", "http://10.0.0.1/", "//ann@go.dev/", "//go.dev:8080/",
		"file:///etc/passwd", "\\\\127.0.0.1\\", "//0x7f.1"} {
		_, err := from.Follow(reference)
		assert.Error(t, err, reference)
	}
	_, err = Address{}.Follow("/x")
	assert.Error(t, err)
}

func TestPublicAddresses(t *testing.T) {
	for _, ip := range []string{"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
		"192.0.1.0", "198.17.255.255",
		"198.20.0.0", "223.255.255.255", "2606:4700::1", "2a00::1", "2001:200::1", "2003::1"} {
		assert.True(t, IsPublic(netip.MustParseAddr(ip)), ip)
	}
	assert.False(t, IsPublic(netip.Addr{}))
	assert.False(t, IsPublic(netip.MustParseAddr("2606:4700::1%eth0")))
}

// FuzzParse checks that accepted addresses have the form that every parser reads alike.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"http://go.dev/", "http://[::1]/", "http://0x7f.1", "http://bücher.de:80/x?y#z", "http://xn--bcher-kva.de",
		"//a@b:1/", "http://%31.de"} {
		f.Add(seed)
	}
	base, _ := Parse("https://go.dev/a/b")
	f.Fuzz(func(t *testing.T, raw string) {
		for _, parse := range []func(string) (Address, error){Parse, base.Follow} {
			a, err := parse(raw)
			if err != nil {
				continue
			}
			again, err := Parse(a.URL)
			if err != nil || again.URL != a.URL {
				t.Fatalf("%q became %q, which is %q, %v", raw, a.URL, again.URL, err)
			}
			rest := strings.TrimPrefix(strings.TrimPrefix(a.URL, "http://"), "https://")
			host := rest[:strings.IndexByte(rest, '/')]
			if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.:[]") != "" {
				t.Fatalf("%q has the host %q", raw, host)
			}
			if a.IP.IsValid() && !IsPublic(a.IP) {
				t.Fatalf("%q is %v", raw, a.IP)
			}
		}
	})
}
