// Command gallery serves every kind of page with the texts of package fixture, without a site behind it. It is for people to look at, and
// for e2e/gallery. It needs public/ as ./build.sh leaves it.
//
// /gallery lists the pages. /gallery/NAME is one: with hostile strings in all places that people write in with ?hostile, with long words
// there with ?long, and in another language than English with ?lang=TAG.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
	"plaza/test/fixture"
)

// policy is the one the worker sends with every page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func main() {
	address := flag.String("address", "127.0.0.1:9900", "where to listen; port 0 is any that is free")
	flag.Parse()
	listener, err := net.Listen("tcp", *address)
	if err == nil {
		fmt.Printf("gallery on http://%s/gallery\n", listener.Addr())
		err = http.Serve(listener, handler("public"))
	}
	fmt.Fprintln(os.Stderr, "gallery:", err)
	os.Exit(1)
}

// handler serves the pages, and the static files in a folder.
func handler(static string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(static)))
	mux.HandleFunc("GET /gallery", func(w http.ResponseWriter, _ *http.Request) { respond(w, locale.English, index()) })
	for _, p := range fixture.Pages() {
		mux.HandleFunc("GET /gallery/"+p.Name, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("long") {
				respond(w, languageOf(r), p.Draw(fixture.Long(p.Model())))
				return
			}
			respond(w, languageOf(r), p.Node(r.URL.Query().Has("hostile")))
		})
	}
	return mux
}

func index() g.Node {
	return h.Doctype(h.HTML(h.Lang("en"), h.Head(h.TitleEl(g.Text("Gallery"))), h.Body(h.Main(h.H1(g.Text("Gallery")),
		h.Ul(g.Map(fixture.Pages(), func(p fixture.Page) g.Node {
			return h.Li(h.A(h.Href("/gallery/"+p.Name), g.Text(p.Name)), g.Text(" "), h.A(h.Href("/gallery/"+p.Name+"?hostile"), g.Text("hostile")),
				g.Text(" "), h.A(h.Href("/gallery/"+p.Name+"?long"), g.Text("long")))
		})),
	))))
}

// languageOf is the language that ?lang names, English without it. It may be that of tests.
func languageOf(r *http.Request) *locale.Language {
	if tag := r.URL.Query().Get("lang"); tag != locale.Pseudo.Tag {
		return cmp.Or(locale.Find(tag), locale.English)
	}
	return locale.Pseudo
}

func respond(w http.ResponseWriter, l *locale.Language, page g.Node) {
	b, err := ui.Bytes(l, page)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	_, _ = w.Write(b) // whoever asked may have gone
}
