package servicestest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Turso imitates an organization at Turso.
type Turso struct {
	world        *World
	openDatabase func() string

	URL, Token, Organization string
	Groups, Locations        []string
	Databases                map[string]*Database
}

// Database is a database with the tokens that were made for it, by how long they last.
type Database struct {
	Host, Group string
	Real        string // address of the database behind it, which takes any request
	Tokens      map[string][]string

	mu sync.Mutex
}

func (t *Turso) open(openDatabase func() string) {
	t.openDatabase = openDatabase
	t.Token, t.Organization = t.world.Token("turso_"), "example"
	t.Locations = []string{"aws-eu-west-1", "aws-us-east-1"}
	t.Databases = map[string]*Database{}
	t.URL = t.world.serve(t.handle)
}

func wrong(status int, message string) answer { return answer{status, object{"error": message}} }

var (
	databaseName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	expiration   = regexp.MustCompile(`^(never|(\d+[wdhms])+)$`)
)

func (t *Turso) handle(r *http.Request, body []byte) answer {
	if r.Header.Get("Authorization") != "Bearer "+t.Token {
		return wrong(401, "Unauthorized")
	}
	if r.Method+" "+r.URL.Path == "GET /v1/organizations" {
		return answer{200, []object{{"name": "Example", "slug": t.Organization, "type": "personal"}}}
	}
	path, mine := strings.CutPrefix(r.URL.Path, "/v1/organizations/"+t.Organization+"/")
	if !mine {
		return wrong(404, "could not find organization")
	}
	parts := strings.Split(path, "/")
	switch what := r.Method + " " + parts[0]; {
	case what == "GET groups" && len(parts) == 1:
		list := []object{}
		for _, name := range t.Groups {
			list = append(list, object{"name": name})
		}
		return answer{200, object{"groups": list}}
	case what == "POST groups" && len(parts) == 1:
		return t.makeGroup(body)
	case what == "GET databases" && len(parts) == 2:
		if d := t.Databases[parts[1]]; d != nil {
			return answer{200, object{"database": object{"Name": parts[1], "Hostname": d.Host, "group": d.Group}}}
		}
		return wrong(404, "could not find database with name "+parts[1]+": record not found")
	case what == "POST databases" && len(parts) == 1:
		return t.makeDatabase(body)
	case what == "POST databases" && len(parts) == 4 && parts[2]+"/"+parts[3] == "auth/tokens":
		d := t.Databases[parts[1]]
		q := r.URL.Query()
		switch {
		case d == nil:
			return wrong(404, "could not find database with name "+parts[1]+": record not found")
		case !expiration.MatchString(q.Get("expiration")):
			return wrong(400, "Invalid expiration format")
		case q.Get("authorization") != "full-access" && q.Get("authorization") != "read-only":
			return wrong(400, "Invalid authorization")
		}
		token := t.world.Token("jwt_")
		d.mu.Lock()
		d.Tokens[q.Get("expiration")] = append(d.Tokens[q.Get("expiration")], token)
		d.mu.Unlock()
		return answer{200, object{"jwt": token}}
	}
	return wrong(404, "not found")
}

func (t *Turso) makeGroup(body []byte) answer {
	var in struct {
		Name     string `json:"name"`
		Location string `json:"location"`
	}
	switch {
	case parse(body, &in) != nil || in.Name == "":
		return wrong(400, "bad request")
	case slices.Contains(t.Groups, in.Name):
		return wrong(409, "group already exists")
	case !slices.Contains(t.Locations, in.Location):
		return wrong(400, "invalid location")
	}
	t.Groups = append(t.Groups, in.Name)
	return answer{200, object{"group": object{"name": in.Name, "locations": []string{in.Location}}}}
}

func (t *Turso) makeDatabase(body []byte) answer {
	var in struct {
		Name  string `json:"name"`
		Group string `json:"group"`
	}
	switch {
	case parse(body, &in) != nil || !databaseName.MatchString(in.Name):
		return wrong(400, "invalid database name")
	case t.Databases[in.Name] != nil:
		return wrong(409, "database with name "+in.Name+" already exists")
	case !slices.Contains(t.Groups, in.Group):
		return wrong(400, "group not found")
	}
	d := &Database{Group: in.Group, Real: t.openDatabase(), Tokens: map[string][]string{}}
	target, err := url.Parse(d.Real)
	if err != nil {
		return wrong(500, err.Error())
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header.Del("Authorization")
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		known := false
		for _, tokens := range d.Tokens {
			for _, token := range tokens {
				known = known || r.Header.Get("Authorization") == "Bearer "+token
			}
		}
		d.mu.Unlock()
		if !known {
			http.Error(w, `{"error":"Unauthorized"}`, http.StatusUnauthorized)
			return
		}
		done := httptest.NewRecorder()
		proxy.ServeHTTP(done, r.WithContext(context.WithoutCancel(r.Context())))
		if t.world.OnDatabase != nil && !t.world.OnDatabase() {
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), done.Header())
		w.WriteHeader(done.Code)
		_, _ = w.Write(done.Body.Bytes())
	}))
	t.world.t.Cleanup(front.Close)
	d.Host = strings.TrimPrefix(front.URL, "http://")
	t.Databases[in.Name] = d
	return answer{200, object{"database": object{"Name": in.Name, "DbId": "id-" + in.Name, "Hostname": d.Host}}}
}
