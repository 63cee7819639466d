package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/test/fixture"
)

// policy is the one the worker sends with every page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serve shows every fixture at /gallery/NAME (hostile with ?hostile, in German with ?lang=de), with actions that
// answer as the worker does but keep nothing.
func serve(root, address string, files []asset) error {
	fmt.Println("gallery on http://" + address + "/gallery")
	return http.ListenAndServe(address, galleryHandler(root, files))
}

func galleryHandler(root string, files []asset) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_/{name}", func(w http.ResponseWriter, r *http.Request) {
		for _, a := range files {
			// Any hash will do: the program may be older than the sources.
			if strings.HasPrefix(r.PathValue("name"), a.stem+".") && strings.HasSuffix(r.PathValue("name"), a.ext) {
				http.ServeContent(w, r, a.name(), fixture.Now, bytes.NewReader(a.body))
				return
			}
		}
		http.NotFound(w, r)
	})
	mux.HandleFunc("GET /favicon.svg", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(root, "public", "favicon.svg"))
	})
	mux.HandleFunc("GET /gallery", index)
	for _, p := range fixture.Pages() {
		mux.HandleFunc("GET /gallery/"+p.Name, func(w http.ResponseWriter, r *http.Request) {
			answerIn(w, languageOf(r), http.StatusOK, p.Node(r.URL.Query().Has("hostile")))
		})
	}
	mux.HandleFunc("POST /vote", vote)
	mux.HandleFunc("POST /subscribe", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, ui.SubscribeFragment(r.FormValue("community"), r.FormValue("on") == "1", r.FormValue("return")))
	})
	mux.HandleFunc("GET /reply", func(w http.ResponseWriter, r *http.Request) {
		p := fixture.Reply()
		p.Form = ui.Form{}
		p.Parent.ID = r.FormValue("to")
		answer(w, http.StatusOK, ui.ReplyFormFragment(p))
	})
	mux.HandleFunc("POST /comment", comment)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.Query().Has("fragment") {
			http.NotFound(w, r)
			return
		}
		cs := fixture.Thread()[3:]
		cs[0].ID, cs[1].ID = "m1", "m2"
		answer(w, http.StatusOK, ui.MoreFragment(cs, nil))
	})
	return mux
}

func index(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, h.Doctype(h.HTML(h.Lang("en"), h.Head(h.TitleEl(g.Text("Gallery"))), h.Body(h.Main(h.H1(g.Text("Gallery")),
		h.Ul(g.Map(fixture.Pages(), func(p fixture.Page) g.Node {
			return h.Li(h.A(h.Href("/gallery/"+p.Name), g.Text(p.Name)), g.Text(" "), h.A(h.Href("/gallery/"+p.Name+"?hostile"), g.Text("hostile")))
		})),
	)))))
}

func vote(w http.ResponseWriter, r *http.Request) {
	mine, err := strconv.Atoi(r.FormValue("value"))
	if err != nil || r.FormValue("target") == "c8" {
		http.Error(w, "no", http.StatusInternalServerError) // to see a failure
		return
	}
	answer(w, http.StatusOK, ui.VoteFragment(ui.Votes{Target: r.FormValue("target"), Score: 41 + int64(mine), Ups: 50, Downs: 9, Mine: mine}))
}

func comment(w http.ResponseWriter, r *http.Request) {
	p := fixture.Reply()
	body := r.FormValue("body")
	if strings.TrimSpace(body) == "" {
		if r.FormValue("parent") == "" {
			p.Parent = nil
		}
		answer(w, http.StatusUnprocessableEntity, ui.ReplyFormFragment(p))
		return
	}
	html, err := markdown.Render(body, 1<<20)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	c := fixture.Thread()[0].Replies[1]
	c.ID, c.BodyHTML = "fresh", html
	answer(w, http.StatusOK, ui.CommentFragment(c))
}

// languageOf is the language that ?lang names, English without it. It may be that of tests.
func languageOf(r *http.Request) *locale.Language {
	if tag := r.URL.Query().Get("lang"); tag != locale.Pseudo.Tag {
		return cmp.Or(locale.Find(tag), locale.English)
	}
	return locale.Pseudo
}

func answer(w http.ResponseWriter, status int, node g.Node) {
	answerIn(w, locale.English, status, node)
}

func answerIn(w http.ResponseWriter, l *locale.Language, status int, node g.Node) {
	b, err := ui.Bytes(l, node)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	if _, err := w.Write(b); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
	}
}
