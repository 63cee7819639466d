package servicestest

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Turso imitates an organization at Turso.
type Turso struct {
	world        *World
	openDatabase func() string

	URL, Token, Organization string
	Groups, Locations        []string
	Databases                map[string]*Database

	// Fork copies a database and returns the address of the copy. Only tests that make branches need it.
	Fork func(real string) string
	// StreamLife is how long a stream may last; 0 is without end.
	StreamLife time.Duration
}

// Database is a database with the tokens that were made for it, by how long they last.
type Database struct {
	Host, Group string
	Real        string // address of the database behind it, which takes any request
	Tokens      map[string][]string

	mu      sync.Mutex
	streams map[string]time.Time // when the stream began that goes on with this baton
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
	case what == "GET databases" && len(parts) == 1:
		list := []object{}
		for _, name := range slices.Sorted(maps.Keys(t.Databases)) {
			list = append(list, t.Databases[name].describe(name))
		}
		return answer{200, object{"databases": list}}
	case parts[0] == "databases" && len(parts) == 2 && t.Databases[parts[1]] == nil:
		return wrong(404, "could not find database with name "+parts[1]+": record not found")
	case what == "GET databases" && len(parts) == 2:
		return answer{200, object{"database": t.Databases[parts[1]].describe(parts[1])}}
	case what == "DELETE databases" && len(parts) == 2:
		delete(t.Databases, parts[1])
		return answer{200, object{"database": parts[1]}}
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

func (d *Database) describe(name string) object {
	return object{"Name": name, "DbId": "id-" + name, "Hostname": d.Host, "group": d.Group}
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
		Seed  struct {
			Type string `json:"type"`
			Name string `json:"name"`
		} `json:"seed"`
	}
	parsed := parse(body, &in)
	seed := t.Databases[in.Seed.Name]
	switch {
	case parsed != nil || !databaseName.MatchString(in.Name):
		return wrong(400, "invalid database name")
	case t.Databases[in.Name] != nil:
		return wrong(409, "database with name "+in.Name+" already exists")
	case !slices.Contains(t.Groups, in.Group):
		return wrong(400, "group not found")
	case in.Seed.Type != "" && (in.Seed.Type != "database" || seed == nil):
		return wrong(400, "invalid seed")
	}
	d := &Database{Group: in.Group, Tokens: map[string][]string{}}
	if seed != nil {
		d.Real = t.Fork(seed.Real)
	} else {
		d.Real = t.openDatabase()
	}
	if err := d.open(t.world); err != nil {
		return wrong(500, err.Error())
	}
	t.Databases[in.Name] = d
	return answer{200, object{"database": d.describe(in.Name)}}
}
