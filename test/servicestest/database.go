package servicestest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// open puts a server in front of the real database. As Turso's servers do, it asks for a token and ends streams that last too long.
func (d *Database) open(services *Services) error {
	target, err := url.Parse(d.Real)
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header.Del("Authorization")
		r.Out.Header.Del("Accept-Encoding") // the answer is read
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.knows(r.Header.Get("Authorization")) {
			http.Error(w, `{"error":"Unauthorized"}`, http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		began, goesOn := d.streamOf(body)
		if life := services.Turso.StreamLife; goesOn && life > 0 && time.Since(began) > life {
			http.Error(w, `{"message":"The stream has expired due to inactivity","code":"STREAM_EXPIRED"}`, http.StatusBadRequest)
			return
		}
		r = r.WithContext(context.WithoutCancel(r.Context()))
		r.Body = io.NopCloser(bytes.NewReader(body))
		done := httptest.NewRecorder()
		proxy.ServeHTTP(done, r)
		d.remember(done.Body.Bytes(), began)
		if services.OnDatabase != nil && !services.OnDatabase() {
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), done.Header())
		w.WriteHeader(done.Code)
		_, _ = w.Write(done.Body.Bytes())
	}))
	services.t.Cleanup(front.Close)
	d.Host = strings.TrimPrefix(front.URL, "http://")
	return nil
}

// knows tells whether a token was made for the database.
func (d *Database) knows(authorization string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, tokens := range d.Tokens {
		for _, token := range tokens {
			if authorization == "Bearer "+token {
				return true
			}
		}
	}
	return false
}

// batonOf reads which stream a request or an answer of the Hrana protocol goes on with; "" for none.
func batonOf(text []byte) string {
	var pipeline struct {
		Baton string `json:"baton"`
	}
	_ = json.Unmarshal(text, &pipeline)
	return pipeline.Baton
}

// streamOf tells when the stream began that a request goes on with.
func (d *Database) streamOf(request []byte) (began time.Time, there bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if began, there = d.streams[batonOf(request)]; there {
		return began, true
	}
	return time.Now(), false
}

// remember keeps the baton of an answer, and when its stream began.
func (d *Database) remember(body []byte, began time.Time) {
	if baton := batonOf(body); baton != "" {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.streams[baton] = began
	}
}
