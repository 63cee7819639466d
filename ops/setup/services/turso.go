package services

import (
	"context"
	"net/http"
	"net/url"
)

// TursoURL is the address of Turso's API: https://docs.turso.tech/api-reference/introduction
const TursoURL = "https://api.turso.tech"

// Turso is the API of an organization at Turso.
type Turso struct {
	*API
	Organization string // its slug
}

// NewTurso returns a client; address is TursoURL except in tests. https://docs.turso.tech/api-reference/authentication
func NewTurso(address, token string, client *http.Client) *Turso {
	return &Turso{API: &API{Service: "Turso", URL: address, HTTP: client, message: errorField,
		authorize: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }}}
}

func (t *Turso) path(rest string) string {
	return "/v1/organizations/" + url.PathEscape(t.Organization) + rest
}

// Organizations returns the slugs of the token's organizations: https://docs.turso.tech/api-reference/organizations/list
func (t *Turso) Organizations(ctx context.Context) (slugs []string, err error) {
	var list []struct {
		Slug string `json:"slug"`
	}
	err = t.call(ctx, http.MethodGet, "/v1/organizations", nil, &list)
	for _, o := range list {
		slugs = append(slugs, o.Slug)
	}
	return slugs, err
}

// Groups returns the names of the organization's groups: https://docs.turso.tech/api-reference/groups/list
func (t *Turso) Groups(ctx context.Context) (names []string, err error) {
	var list struct {
		Groups []Named `json:"groups"`
	}
	err = t.call(ctx, http.MethodGet, t.path("/groups"), nil, &list)
	for _, g := range list.Groups {
		names = append(names, g.Name)
	}
	return names, err
}

// CreateGroup creates a group of databases at a location: https://docs.turso.tech/api-reference/groups/create
func (t *Turso) CreateGroup(ctx context.Context, name, location string) error {
	return t.call(ctx, http.MethodPost, t.path("/groups"), map[string]string{"name": name, "location": location}, nil)
}

// Database is a database at Turso.
type Database struct {
	Name     string `json:"Name"`
	Hostname string `json:"Hostname"`
	Group    string `json:"group"`
}

// FindDatabase returns a database, nil if it does not exist: https://docs.turso.tech/api-reference/databases/retrieve
func (t *Turso) FindDatabase(ctx context.Context, name string) (*Database, error) {
	var response struct {
		Database Database `json:"database"`
	}
	err := t.call(ctx, http.MethodGet, t.path("/databases/"+url.PathEscape(name)), nil, &response)
	if IsMissing(err) {
		return nil, nil
	}
	return &response.Database, err
}

// Databases returns all databases of the organization: https://docs.turso.tech/api-reference/databases/list
func (t *Turso) Databases(ctx context.Context) ([]Database, error) {
	var response struct {
		Databases []Database `json:"databases"`
	}
	err := t.call(ctx, http.MethodGet, t.path("/databases"), nil, &response)
	return response.Databases, err
}

// DeleteDatabase deletes a database with its content: https://docs.turso.tech/api-reference/databases/delete
func (t *Turso) DeleteDatabase(ctx context.Context, name string) error {
	return t.call(ctx, http.MethodDelete, t.path("/databases/"+url.PathEscape(name)), nil, nil)
}

// CreateDatabase creates a database in a group: https://docs.turso.tech/api-reference/databases/create
func (t *Turso) CreateDatabase(ctx context.Context, name, group string) (*Database, error) {
	return t.make(ctx, group, map[string]any{"name": name, "group": group})
}

// CreateBranch creates a copy of the present state of another database: https://docs.turso.tech/features/branching
func (t *Turso) CreateBranch(ctx context.Context, name, group, from string) (*Database, error) {
	return t.make(ctx, group, map[string]any{"name": name, "group": group, "seed": map[string]string{"type": "database", "name": from}})
}

func (t *Turso) make(ctx context.Context, group string, body map[string]any) (*Database, error) {
	var response struct {
		Database Database `json:"database"`
	}
	err := t.call(ctx, http.MethodPost, t.path("/databases"), body, &response)
	response.Database.Group = group
	return &response.Database, err
}

// CreateToken creates a token to read and write a database. expires is such as "never" or "1h". Turso shows the token only once.
// https://docs.turso.tech/api-reference/databases/create-token
func (t *Turso) CreateToken(ctx context.Context, database, expires string) (string, error) {
	return t.token(ctx, "/databases/"+url.PathEscape(database), "full-access", expires)
}

// CreateReadToken is CreateToken for reading only.
func (t *Turso) CreateReadToken(ctx context.Context, database, expires string) (string, error) {
	return t.token(ctx, "/databases/"+url.PathEscape(database), "read-only", expires)
}

// CreateGroupToken is CreateToken for all databases of a group: https://docs.turso.tech/api-reference/groups/create-token
func (t *Turso) CreateGroupToken(ctx context.Context, group, expires string) (string, error) {
	return t.token(ctx, "/groups/"+url.PathEscape(group), "full-access", expires)
}

func (t *Turso) token(ctx context.Context, owner, authorization, expires string) (string, error) {
	var response struct {
		JWT string `json:"jwt"`
	}
	path := owner + "/auth/tokens?authorization=" + authorization + "&expiration=" + url.QueryEscape(expires)
	err := t.call(ctx, http.MethodPost, t.path(path), nil, &response)
	return response.JWT, err
}
