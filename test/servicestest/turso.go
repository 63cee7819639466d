package servicestest

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/test/stacktest"
)

// Turso imitates an organization at Turso.
type Turso struct {
	services *Services

	URL, Token, Organization string
	Groups                   []string
	Databases                map[string]*Database
	StreamLife               time.Duration // the longest that a stream may last; 0 is without end
}

// Database is a database with the tokens that were made for it, by how long they last.
type Database struct {
	Host, Group string
	Real        string // address of the database behind it, which takes any request
	Tokens      map[string][]string

	mu      sync.Mutex
	streams map[string]time.Time // when the stream began that goes on with this baton
}

var (
	databaseName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	expiration   = regexp.MustCompile(`^(never|(\d+[wdhms])+)$`)
	locations    = []string{"aws-eu-west-1", "aws-us-east-1"}
)

func (t *Turso) handle(r *http.Request, body []byte) Response {
	if r.Header.Get("Authorization") != "Bearer "+t.Token {
		return Wrong(401, "Unauthorized")
	}
	if r.Method+" "+r.URL.Path == "GET /v1/organizations" {
		return Right([]Object{{"name": "Example", "slug": t.Organization, "type": "personal"}})
	}
	path, mine := strings.CutPrefix(r.URL.Path, "/v1/organizations/"+t.Organization+"/")
	if !mine {
		return Wrong(404, "could not find organization")
	}
	parts := strings.Split(path, "/")
	switch what := r.Method + " " + parts[0]; {
	case what == "GET groups" && len(parts) == 1:
		list := []Object{}
		for _, name := range t.Groups {
			list = append(list, Object{"name": name})
		}
		return Right(Object{"groups": list})
	case what == "POST groups" && len(parts) == 1:
		return t.makeGroup(body)
	case what == "GET databases" && len(parts) == 1:
		list := []Object{}
		for _, name := range slices.Sorted(maps.Keys(t.Databases)) {
			list = append(list, t.Databases[name].describe(name))
		}
		return Right(Object{"databases": list})
	case parts[0] == "databases" && len(parts) == 2 && t.Databases[parts[1]] == nil:
		return Wrong(404, "could not find database with name "+parts[1]+": record not found")
	case what == "GET databases" && len(parts) == 2:
		return Right(Object{"database": t.Databases[parts[1]].describe(parts[1])})
	case what == "DELETE databases" && len(parts) == 2:
		delete(t.Databases, parts[1])
		return Right(Object{"database": parts[1]})
	case what == "POST databases" && len(parts) == 1:
		return t.makeDatabase(body)
	case what == "POST databases" && len(parts) == 4 && parts[2]+"/"+parts[3] == "auth/tokens":
		d := t.Databases[parts[1]]
		q := r.URL.Query()
		switch {
		case d == nil:
			return Wrong(404, "could not find database with name "+parts[1]+": record not found")
		case !expiration.MatchString(q.Get("expiration")):
			return Wrong(400, "Invalid expiration format")
		case q.Get("authorization") != "full-access" && q.Get("authorization") != "read-only":
			return Wrong(400, "Invalid authorization")
		}
		token := t.services.Token("jwt_")
		d.mu.Lock()
		d.Tokens[q.Get("expiration")] = append(d.Tokens[q.Get("expiration")], token)
		d.mu.Unlock()
		return Right(Object{"jwt": token})
	case what == "POST groups" && len(parts) == 4 && parts[2]+"/"+parts[3] == "auth/tokens":
		token := t.services.Token("jwt_")
		for _, d := range t.Databases {
			if d.mu.Lock(); d.Group == parts[1] {
				d.Tokens["group"] = append(d.Tokens["group"], token)
			}
			d.mu.Unlock()
		}
		return Right(Object{"jwt": token})
	}
	return Wrong(404, "not found")
}

func (d *Database) describe(name string) Object {
	return Object{"Name": name, "DbId": "id-" + name, "Hostname": d.Host, "group": d.Group}
}

func (t *Turso) makeGroup(body []byte) Response {
	var in struct {
		Name     string `json:"name"`
		Location string `json:"location"`
	}
	switch {
	case Parse(body, &in) != nil || in.Name == "":
		return Wrong(400, "bad request")
	case slices.Contains(t.Groups, in.Name):
		return Wrong(409, "group already exists")
	case !slices.Contains(locations, in.Location):
		return Wrong(400, "invalid location")
	}
	t.Groups = append(t.Groups, in.Name)
	return Right(Object{"group": Object{"name": in.Name, "locations": []string{in.Location}}})
}

func (t *Turso) makeDatabase(body []byte) Response {
	var in struct {
		Name  string `json:"name"`
		Group string `json:"group"`
		Seed  struct {
			Type string `json:"type"`
			Name string `json:"name"`
		} `json:"seed"`
	}
	parsed := Parse(body, &in)
	seed := t.Databases[in.Seed.Name]
	switch {
	case parsed != nil || !databaseName.MatchString(in.Name):
		return Wrong(400, "invalid database name")
	case t.Databases[in.Name] != nil:
		return Wrong(409, "database with name "+in.Name+" already exists")
	case !slices.Contains(t.Groups, in.Group):
		return Wrong(400, "group not found")
	case in.Seed.Type != "" && (in.Seed.Type != "database" || seed == nil):
		return Wrong(400, "invalid seed")
	}
	d := &Database{Group: in.Group, Tokens: map[string][]string{}, streams: map[string]time.Time{}}
	if seed != nil {
		d.Real = stacktest.ForkURL(t.services.t, seed.Real)
	} else {
		d.Real = stacktest.OpenURL(t.services.t)
	}
	if err := d.open(t.services); err != nil {
		return Wrong(500, err.Error())
	}
	t.Databases[in.Name] = d
	return Right(Object{"database": d.describe(in.Name)})
}
