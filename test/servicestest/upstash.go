package servicestest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Upstash imitates an account at Upstash.
type Upstash struct {
	world *World

	URL, Email, Key string
	Regions         []string
	Full            bool // the plan allows no further Redis
	List            []Redis

	made int
}

// Redis is a Redis there.
type Redis struct {
	ID, Name, Endpoint, Token string

	Keys int // it has
}

func (u *Upstash) open() {
	u.Email, u.Key = "owner@example.org", u.world.Token("upstash_")
	u.Regions = []string{"eu-west-1", "us-east-1"}
	u.URL = u.world.serve(u.handle)
}

func (u *Upstash) handle(r *http.Request, body []byte) answer {
	if email, key, given := r.BasicAuth(); !given || email != u.Email || key != u.Key {
		return wrong(401, "Unauthorized")
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /redis/databases":
		list := []object{}
		for _, d := range u.List {
			list = append(list, object{"database_id": d.ID, "database_name": d.Name, "endpoint": d.Endpoint, "state": "active"})
		}
		return answer{200, list}
	case "POST /redis/database":
		var in struct {
			Name     string `json:"database_name"`
			Platform string `json:"platform"`
			Region   string `json:"primary_region"`
			TLS      bool   `json:"tls"`
		}
		switch {
		case parse(body, &in) != nil || in.Name == "" || in.Platform != "aws":
			return wrong(400, "invalid request")
		case !slices.Contains(u.Regions, in.Region):
			return wrong(400, "invalid region "+in.Region)
		case slices.ContainsFunc(u.List, func(d Redis) bool { return d.Name == in.Name }):
			return wrong(400, "a database of that name exists")
		case u.Full:
			return wrong(400, "your plan allows no further database")
		}
		made := Redis{ID: "id-" + in.Name, Name: in.Name, Endpoint: u.endpoint(in.Name), Token: u.world.Token("rest_")}
		u.List = append(u.List, made)
		return answer{200, describe(made)}
	}
	if id, one := strings.CutPrefix(r.URL.Path, "/redis/database/"); one && r.Method == http.MethodGet {
		for _, d := range u.List {
			if d.ID == id {
				return answer{200, describe(d)}
			}
		}
	}
	return wrong(404, "not found")
}

// RoundTrip is the way to the addresses of all Redis there. They say how many keys they have, and nothing else.
func (u *Upstash) RoundTrip(r *http.Request) (*http.Response, error) {
	u.world.mu.Lock()
	defer u.world.mu.Unlock()
	a := wrong(404, "not found")
	for _, d := range u.List {
		var command []string
		switch {
		case d.Endpoint != r.URL.Host:
		case r.Header.Get("Authorization") != "Bearer "+d.Token:
			a = wrong(401, "Unauthorized")
		case json.NewDecoder(r.Body).Decode(&command) == nil && slices.Equal(command, []string{"DBSIZE"}):
			a = answer{200, object{"result": d.Keys}}
		}
	}
	body, err := json.Marshal(a.body)
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, err
}

// endpoint is that of a new Redis. No two are the same.
func (u *Upstash) endpoint(name string) string {
	if u.made++; u.made > 1 {
		name += "-" + strconv.Itoa(u.made)
	}
	return "eu1-" + name + ".upstash.io"
}

func describe(d Redis) object {
	return object{"database_id": d.ID, "database_name": d.Name, "endpoint": d.Endpoint, "rest_token": d.Token, "state": "active", "tls": true}
}
