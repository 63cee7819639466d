package services

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// CloudflareURL is the address of Cloudflare's API: https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/
const CloudflareURL = "https://api.cloudflare.com/client/v4"

// Cloudflare is the API of an account at Cloudflare. In brackets are pages below https://developers.cloudflare.com/api/resources/.
type Cloudflare struct {
	*API
	Account string // its id
}

// NewCloudflare makes a client; address is CloudflareURL except in tests.
func NewCloudflare(address, token string, client *http.Client) *Cloudflare {
	return &Cloudflare{API: &API{Service: "Cloudflare", URL: address, HTTP: client, authorization: "Bearer " + token}}
}

// envelope is the form of each response, as on every page below https://developers.cloudflare.com/api/.
type envelope[T any] struct {
	Result T
	Info   struct {
		PerPage    int `json:"per_page"`
		TotalPages int `json:"total_pages"`
		TotalCount int `json:"total_count"`
	} `json:"result_info"`
}

// get reads the result at a path.
func get[T any](ctx context.Context, c *Cloudflare, path string) (T, error) {
	var response envelope[T]
	err := c.call(ctx, http.MethodGet, path, nil, &response)
	return response.Result, err
}

// noScript is Cloudflare's number for a script that is not there. Another 404 does not say so: a site would get new secrets.
const noScript = 10007

// ofScript reads what is at a path of a script. there is false if there is no such script.
func ofScript[T any](ctx context.Context, c *Cloudflare, script, rest string) (result T, there bool, err error) {
	result, err = get[T](ctx, c, c.script(script, rest))
	var r *Refusal
	if errors.As(err, &r) && r.Status == http.StatusNotFound && r.Code == noScript {
		return result, false, nil
	}
	return result, err == nil, err
}

// mostPages limits how far a list is read.
const mostPages = 100

// listAll reads all pages of a list.
func listAll[T any](ctx context.Context, c *Cloudflare, path string) (all []T, err error) {
	for page := 1; page <= mostPages; page++ {
		var response envelope[[]T]
		if err := c.call(ctx, http.MethodGet, fmt.Sprintf("%s?page=%d&per_page=50", path, page), nil, &response); err != nil {
			return nil, err
		}
		all = append(all, response.Result...)
		pages := response.Info.TotalPages
		if pages == 0 && response.Info.PerPage > 0 {
			pages = (response.Info.TotalCount + response.Info.PerPage - 1) / response.Info.PerPage
		}
		if page >= pages || len(response.Result) == 0 {
			break
		}
	}
	return all, nil
}

// Named is a thing with an id and a name.
type Named struct{ ID, Name string }

// Accounts are those that the token reaches (accounts/methods/list).
func (c *Cloudflare) Accounts(ctx context.Context) ([]Named, error) {
	return listAll[Named](ctx, c, "/accounts")
}

// path is that of something of the account.
func (c *Cloudflare) path(rest string) string { return "/accounts/" + url.PathEscape(c.Account) + rest }

func (c *Cloudflare) script(name, rest string) string {
	return c.path("/workers/scripts/" + url.PathEscape(name) + rest)
}

// Queue is a queue. Consumers are the scripts that consume its messages. By the documentation, script_name has the name of a script.
// wrangler reads it from script and service.
type Queue struct {
	Name      string `json:"queue_name"`
	Consumers []struct {
		ScriptName      string `json:"script_name"`
		Script, Service string
	}
}

// HasConsumer reports whether a script consumes the queue's messages.
func (q Queue) HasConsumer(script string) bool {
	for _, c := range q.Consumers {
		if c.ScriptName == script || c.Script == script || c.Service == script {
			return true
		}
	}
	return false
}

// Queues are all of the account's (queues/methods/list).
func (c *Cloudflare) Queues(ctx context.Context) ([]Queue, error) {
	return listAll[Queue](ctx, c, c.path("/queues"))
}

// MakeQueue makes a queue (queues/methods/create).
func (c *Cloudflare) MakeQueue(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodPost, c.path("/queues"), map[string]string{"queue_name": name}, nil)
}

// FindBucket tells whether the account has a bucket (r2/subresources/buckets/methods/get).
func (c *Cloudflare) FindBucket(ctx context.Context, name string) (bool, error) {
	err := c.call(ctx, http.MethodGet, c.path("/r2/buckets/"+url.PathEscape(name)), nil, nil)
	if IsMissing(err) {
		return false, nil
	}
	return err == nil, err
}

// MakeBucket makes one (r2/subresources/buckets/methods/create).
func (c *Cloudflare) MakeBucket(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodPost, c.path("/r2/buckets"), map[string]string{"name": name}, nil)
}

// CheckR2 fails when the account has no R2 or the token may not use it (r2/subresources/buckets/methods/list).
func (c *Cloudflare) CheckR2(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, c.path("/r2/buckets")+"?per_page=1", nil, nil)
}

// Subdomain is the account's own below workers.dev, "" if it has none (workers/subresources/subdomains/methods/get).
func (c *Cloudflare) Subdomain(ctx context.Context) (string, error) {
	result, err := get[struct{ Subdomain string }](ctx, c, c.path("/workers/subdomain"))
	if IsMissing(err) {
		err = nil
	}
	return result.Subdomain, err
}

// Secrets are the names of a script's secrets; there is false when there is no such script.
// (workers/subresources/scripts/subresources/secrets/methods/list).
func (c *Cloudflare) Secrets(ctx context.Context, script string) (names map[string]bool, there bool, err error) {
	list, there, err := ofScript[[]Named](ctx, c, script, "/secrets")
	names = map[string]bool{}
	for _, secret := range list {
		names[secret.Name] = true
	}
	return names, there, err
}

// SetSecret sets one (workers/subresources/scripts/subresources/secrets/methods/update).
func (c *Cloudflare) SetSecret(ctx context.Context, script, name, value string) error {
	return c.call(ctx, http.MethodPut, c.script(script, "/secrets"),
		map[string]string{"name": name, "text": value, "type": "secret_text"}, nil)
}

// Binding is a binding of a script. Text is the value of a plain variable, Bucket the name of a bucket.
type Binding struct {
	Name, Type, Text string
	Bucket           string `json:"bucket_name"`
}

// Bindings returns the bindings of the deployed script. there is false if the script does not exist.
// (workers/subresources/scripts/subresources/script_and_version_settings/methods/get).
func (c *Cloudflare) Bindings(ctx context.Context, script string) (list []Binding, there bool, err error) {
	result, there, err := ofScript[struct{ Bindings []Binding }](ctx, c, script, "/settings")
	return result.Bindings, there, err
}

// Variables returns the plain variables of the deployed script, by name. there is false if the script does not exist.
func (c *Cloudflare) Variables(ctx context.Context, script string) (variables map[string]string, there bool, err error) {
	list, there, err := c.Bindings(ctx, script)
	variables = map[string]string{}
	for _, b := range list {
		if b.Type == "plain_text" {
			variables[b.Name] = b.Text
		}
	}
	return variables, there, err
}

// Scripts returns the names of the account's scripts (workers/subresources/scripts/methods/list).
func (c *Cloudflare) Scripts(ctx context.Context) (names []string, err error) {
	list, err := get[[]Named](ctx, c, c.path("/workers/scripts"))
	for _, script := range list {
		names = append(names, script.ID)
	}
	return names, err
}

// OnWorkersDev reports whether the script exists and also answers at a name below workers.dev.
// (workers/subresources/scripts/subresources/subdomain/methods/get).
func (c *Cloudflare) OnWorkersDev(ctx context.Context, script string) (bool, error) {
	result, _, err := ofScript[struct{ Enabled bool }](ctx, c, script, "/subdomain")
	return result.Enabled, err
}

// Crons are when the script is started (workers/subresources/scripts/subresources/schedules/methods/get).
func (c *Cloudflare) Crons(ctx context.Context, script string) (list []string, err error) {
	result, err := get[struct{ Schedules []struct{ Cron string } }](ctx, c, c.script(script, "/schedules"))
	if IsMissing(err) {
		return nil, nil
	}
	for _, s := range result.Schedules {
		list = append(list, s.Cron)
	}
	return list, err
}

// DomainOf is the script that answers at a host name, "" for none (workers/subresources/domains/methods/list).
func (c *Cloudflare) DomainOf(ctx context.Context, host string) (script string, err error) {
	list, err := get[[]struct{ Hostname, Service string }](ctx, c, c.path("/workers/domains")+"?hostname="+url.QueryEscape(host))
	for _, domain := range list {
		if domain.Hostname == host {
			script = domain.Service
		}
	}
	return script, err
}

// SetDomain has a script answer at a host name of one of the account's zones (workers/subresources/domains/methods/update).
func (c *Cloudflare) SetDomain(ctx context.Context, host, script string) error {
	return c.call(ctx, http.MethodPut, c.path("/workers/domains"), map[string]string{"hostname": host, "service": script}, nil)
}
