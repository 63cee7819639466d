package services

import (
	"context"
	"net/http"
	"net/url"
)

// UpstashURL is the address of Upstash's API: https://upstash.com/docs/devops/developer-api/introduction
const UpstashURL = "https://api.upstash.com/v2"

// Upstash is the API of an account at Upstash.
type Upstash struct{ *API }

// NewUpstash returns a client; address is UpstashURL except in tests. https://upstash.com/docs/devops/developer-api/authentication
func NewUpstash(address, email, key string, client *http.Client) *Upstash {
	return &Upstash{API: &API{Service: "Upstash", URL: address, HTTP: client, message: errorField,
		authorize: func(r *http.Request) { r.SetBasicAuth(email, key) }}}
}

// Redis is a Redis at Upstash. List returns no tokens.
type Redis struct {
	ID       string `json:"database_id"`
	Name     string `json:"database_name"`
	Endpoint string `json:"endpoint"`
	Token    string `json:"rest_token"`
}

// List returns all Redis databases of the account: https://upstash.com/docs/devops/developer-api/redis/list_databases
func (u *Upstash) List(ctx context.Context) (list []Redis, err error) {
	err = u.call(ctx, http.MethodGet, "/redis/databases", nil, &list)
	return list, err
}

// Find returns the Redis with a name, and its token; nil if it does not exist:
// https://upstash.com/docs/devops/developer-api/redis/get_database
func (u *Upstash) Find(ctx context.Context, name string) (*Redis, error) {
	list, err := u.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.Name == name {
			var found Redis
			err := u.call(ctx, http.MethodGet, "/redis/database/"+url.PathEscape(r.ID), nil, &found)
			return &found, err
		}
	}
	return nil, nil
}

// Create creates a Redis: https://upstash.com/docs/devops/developer-api/redis/create_database_global
func (u *Upstash) Create(ctx context.Context, name, region string) (*Redis, error) {
	var created Redis
	err := u.call(ctx, http.MethodPost, "/redis/database",
		map[string]any{"database_name": name, "platform": "aws", "primary_region": region, "tls": true}, &created)
	return &created, err
}
