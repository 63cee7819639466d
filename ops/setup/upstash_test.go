package setup

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/test/servicestest"
)

// upstashAccount imitates an account at Upstash.
type upstashAccount struct {
	providers *providers

	URL, Email, Key string
	Full            bool // the plan allows no further Redis
	List            []upstashRedis

	created int
}

// upstashRedis is a Redis there.
type upstashRedis struct {
	ID, Name, Endpoint, Token string

	Keys int // it has
}

var upstashRegions = []string{"eu-west-1", "us-east-1"}

func openUpstash(w *providers) *upstashAccount {
	u := &upstashAccount{providers: w, Email: "owner@example.org", Key: w.Token("upstash_")}
	u.URL = w.Serve(u.handle)
	return u
}

func (u *upstashAccount) handle(r *http.Request, body []byte) response {
	if email, key, given := r.BasicAuth(); !given || email != u.Email || key != u.Key {
		return servicestest.Wrong(401, "Unauthorized")
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /redis/databases":
		list := []object{}
		for _, d := range u.List {
			list = append(list, object{"database_id": d.ID, "database_name": d.Name, "endpoint": d.Endpoint, "state": "active"})
		}
		return servicestest.Right(list)
	case "POST /redis/database":
		var in struct {
			Name     string `json:"database_name"`
			Platform string `json:"platform"`
			Region   string `json:"primary_region"`
			TLS      bool   `json:"tls"`
		}
		switch {
		case servicestest.Parse(body, &in) != nil || in.Name == "" || in.Platform != "aws":
			return servicestest.Wrong(400, "invalid request")
		case !slices.Contains(upstashRegions, in.Region):
			return servicestest.Wrong(400, "invalid region "+in.Region)
		case slices.ContainsFunc(u.List, func(d upstashRedis) bool { return d.Name == in.Name }):
			return servicestest.Wrong(400, "a database of that name exists")
		case u.Full:
			return servicestest.Wrong(400, "your plan allows no further database")
		}
		created := upstashRedis{ID: "id-" + in.Name, Name: in.Name, Endpoint: u.endpoint(in.Name), Token: u.providers.Token("rest_")}
		u.List = append(u.List, created)
		return servicestest.Right(describeRedis(created))
	}
	if id, one := strings.CutPrefix(r.URL.Path, "/redis/database/"); one && r.Method == http.MethodGet {
		for _, d := range u.List {
			if d.ID == id {
				return servicestest.Right(describeRedis(d))
			}
		}
	}
	return servicestest.Wrong(404, "not found")
}

// RoundTrip serves the addresses of all Redis there. They only report how many keys they have.
func (u *upstashAccount) RoundTrip(r *http.Request) (*http.Response, error) {
	u.providers.Lock()
	defer u.providers.Unlock()
	a := servicestest.Wrong(404, "not found")
	for _, d := range u.List {
		var command []string
		switch {
		case d.Endpoint != r.URL.Host:
		case r.Header.Get("Authorization") != "Bearer "+d.Token:
			a = servicestest.Wrong(401, "Unauthorized")
		case json.NewDecoder(r.Body).Decode(&command) == nil && slices.Equal(command, []string{"DBSIZE"}):
			a = servicestest.Right(object{"result": d.Keys})
		}
	}
	body, err := json.Marshal(a.Body)
	return &http.Response{StatusCode: a.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, err
}

// endpoint returns the unique endpoint of a new Redis.
func (u *upstashAccount) endpoint(name string) string {
	if u.created++; u.created > 1 {
		name += "-" + strconv.Itoa(u.created)
	}
	return "eu1-" + name + ".upstash.io"
}

func describeRedis(d upstashRedis) object {
	return object{"database_id": d.ID, "database_name": d.Name, "endpoint": d.Endpoint, "rest_token": d.Token, "state": "active", "tls": true}
}
