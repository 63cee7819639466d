package services

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
)

// CloudflareURL is the address of Cloudflare's API: https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/
const CloudflareURL = "https://api.cloudflare.com/client/v4"

// Cloudflare is the API of an account at Cloudflare.
type Cloudflare struct {
	*API
	Account string // its id
}

// NewCloudflare returns a client; address is CloudflareURL except in tests.
func NewCloudflare(address, token string, client *http.Client) *Cloudflare {
	return &Cloudflare{API: &API{Service: "Cloudflare", URL: address, HTTP: client, message: envelopeErrors, failed: envelopeFailed,
		authorize: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }}}
}

// envelope is the form of each response, as on every page below https://developers.cloudflare.com/api/.
type envelope[T any] struct {
	Result T `json:"result"`
	Info   struct {
		Page       int `json:"page"`
		PerPage    int `json:"per_page"`
		TotalPages int `json:"total_pages"`
		TotalCount int `json:"total_count"`
	} `json:"result_info"`
}

// envelopeFailed reports whether a response is an error in spite of its status.
func envelopeFailed(body []byte) bool {
	var response struct {
		Success *bool `json:"success"`
	}
	return json.Unmarshal(body, &response) == nil && response.Success != nil && !*response.Success
}

// noScript is Cloudflare's error number for a missing script. Another 404 is not enough: a draft must not replace a script.
const noScript = 10007

func isNoScript(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == http.StatusNotFound && r.Code == noScript
}

func envelopeErrors(body []byte) (code int, text string) {
	var response struct {
		Errors []struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &response) != nil || len(response.Errors) == 0 {
		return errorField(body)
	}
	return response.Errors[0].Code, response.Errors[0].Message
}

// maxPages limits the pages of a list that are read.
const maxPages = 100

// listAll reads all pages of a list.
func listAll[T any](ctx context.Context, c *Cloudflare, path string) (all []T, err error) {
	for page := 1; page <= maxPages; page++ {
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

// Named is an object with an id and a name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Accounts returns the accounts of the token: https://developers.cloudflare.com/api/resources/accounts/methods/list/
func (c *Cloudflare) Accounts(ctx context.Context) ([]Named, error) {
	return listAll[Named](ctx, c, "/accounts")
}

func (c *Cloudflare) path(format string, args ...any) string {
	escaped := make([]any, len(args))
	for i, a := range args {
		escaped[i] = url.PathEscape(fmt.Sprint(a))
	}
	return "/accounts/" + url.PathEscape(c.Account) + fmt.Sprintf(format, escaped...)
}

// Queue is a queue with its consumers. The documentation has the name of a consumer's script in script_name; wrangler reads it from script
// and service.
type Queue struct {
	Name      string `json:"queue_name"`
	Consumers []struct {
		ScriptName string `json:"script_name"`
		Script     string `json:"script"`
		Service    string `json:"service"`
	} `json:"consumers"`
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

// Queues returns all of the account's queues: https://developers.cloudflare.com/api/resources/queues/methods/list/
func (c *Cloudflare) Queues(ctx context.Context) ([]Queue, error) {
	return listAll[Queue](ctx, c, c.path("/queues"))
}

// CreateQueue creates a queue: https://developers.cloudflare.com/api/resources/queues/methods/create/
func (c *Cloudflare) CreateQueue(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodPost, c.path("/queues"), map[string]string{"queue_name": name}, nil)
}

// FindBucket reports whether the account has a bucket:
// https://developers.cloudflare.com/api/resources/r2/subresources/buckets/methods/get/
func (c *Cloudflare) FindBucket(ctx context.Context, name string) (bool, error) {
	err := c.call(ctx, http.MethodGet, c.path("/r2/buckets/%s", name), nil, nil)
	if IsMissing(err) {
		return false, nil
	}
	return err == nil, err
}

// CreateBucket creates a bucket: https://developers.cloudflare.com/api/resources/r2/subresources/buckets/methods/create/
func (c *Cloudflare) CreateBucket(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodPost, c.path("/r2/buckets"), map[string]string{"name": name}, nil)
}

// CheckR2 returns an error if the account has no R2 or the token may not use it:
// https://developers.cloudflare.com/api/resources/r2/subresources/buckets/methods/list/
func (c *Cloudflare) CheckR2(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, c.path("/r2/buckets")+"?per_page=1", nil, nil)
}

// Subdomain returns the account's name below workers.dev; "" if it has none:
// https://developers.cloudflare.com/api/resources/workers/subresources/subdomains/methods/get/
func (c *Cloudflare) Subdomain(ctx context.Context) (string, error) {
	var response envelope[struct {
		Subdomain string `json:"subdomain"`
	}]
	err := c.call(ctx, http.MethodGet, c.path("/workers/subdomain"), nil, &response)
	if IsMissing(err) {
		return "", nil
	}
	return response.Result.Subdomain, err
}

// Secrets returns the names of a script's secrets. exists is false if the script does not exist.
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/secrets/methods/list/
func (c *Cloudflare) Secrets(ctx context.Context, script string) (names map[string]bool, exists bool, err error) {
	var response envelope[[]Named]
	err = c.call(ctx, http.MethodGet, c.path("/workers/scripts/%s/secrets", script), nil, &response)
	if isNoScript(err) {
		return nil, false, nil
	}
	names = map[string]bool{}
	for _, secret := range response.Result {
		names[secret.Name] = true
	}
	return names, err == nil, err
}

// SetSecret sets a secret:
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/secrets/methods/update/
func (c *Cloudflare) SetSecret(ctx context.Context, script, name, value string) error {
	return c.call(ctx, http.MethodPut, c.path("/workers/scripts/%s/secrets", script),
		map[string]string{"name": name, "text": value, "type": SecretBinding}, nil)
}

// DraftVariable is a variable that marks drafts. The first deployment removes it.
const DraftVariable = "PLAZA_DRAFT"

// draft is the script that holds secrets until the first deployment, which keeps them. It has no address.
const draft = "export default { fetch() { return new Response('Plaza is not deployed yet.', { status: 503 }) } }\n"

// CreateDraft creates a script that can have secrets. A script with this name would be replaced. The variables record for a later run which
// database and services the secrets are for.
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/methods/update/
// https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/
func (c *Cloudflare) CreateDraft(ctx context.Context, script, date string, variables map[string]string) error {
	bindings := []Binding{{Name: DraftVariable, Type: plainBinding, Text: "1"}}
	for name, text := range variables {
		bindings = append(bindings, Binding{Name: name, Type: plainBinding, Text: text})
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	metadata, _ := json.Marshal(map[string]any{"main_module": "draft.mjs", "compatibility_date": date, // encoding it can't fail
		"bindings": bindings})
	for _, part := range []struct{ name, file, kind, text string }{
		{"metadata", "", "application/json", string(metadata)},
		{"draft.mjs", "draft.mjs", "application/javascript+module", draft},
	} {
		disposition := fmt.Sprintf(`form-data; name=%q`, part.name)
		if part.file != "" {
			disposition += fmt.Sprintf(`; filename=%q`, part.file)
		}
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {part.kind}})
		if err != nil {
			return err
		}
		if _, err := p.Write([]byte(part.text)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.send(ctx, http.MethodPut, c.path("/workers/scripts/%s", script), w.FormDataContentType(), &body, nil)
}

// Binding is a binding of a script. Text is the value of a plain variable, Bucket the name of a bucket.
type Binding struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Text   string `json:"text"`
	Bucket string `json:"bucket_name,omitempty"`
}

// The types of a secret and of a plain variable.
const (
	SecretBinding = "secret_text"
	plainBinding  = "plain_text"
)

// Bindings returns the bindings of the deployed script. exists is false if the script does not exist.
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/script_and_version_settings/methods/get/
func (c *Cloudflare) Bindings(ctx context.Context, script string) (list []Binding, exists bool, err error) {
	var response envelope[struct {
		Bindings []Binding `json:"bindings"`
	}]
	err = c.call(ctx, http.MethodGet, c.path("/workers/scripts/%s/settings", script), nil, &response)
	if isNoScript(err) {
		return nil, false, nil
	}
	return response.Result.Bindings, err == nil, err
}

// Scripts returns the names of the account's scripts:
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/methods/list/
func (c *Cloudflare) Scripts(ctx context.Context) (names []string, err error) {
	var response envelope[[]Named]
	err = c.call(ctx, http.MethodGet, c.path("/workers/scripts"), nil, &response)
	for _, script := range response.Result {
		names = append(names, script.ID)
	}
	return names, err
}

// OnWorkersDev reports whether the script exists and is also served at a name below workers.dev.
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/subdomain/methods/get/
func (c *Cloudflare) OnWorkersDev(ctx context.Context, script string) (bool, error) {
	var response envelope[struct {
		Enabled bool `json:"enabled"`
	}]
	err := c.call(ctx, http.MethodGet, c.path("/workers/scripts/%s/subdomain", script), nil, &response)
	if isNoScript(err) {
		return false, nil
	}
	return response.Result.Enabled, err
}

// VariablesOf returns the plain variables among bindings, by name.
func VariablesOf(list []Binding) map[string]string {
	variables := map[string]string{}
	for _, b := range list {
		if b.Type == plainBinding {
			variables[b.Name] = b.Text
		}
	}
	return variables
}

// Crons returns the cron expressions of the script's triggers:
// https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/schedules/methods/get/
func (c *Cloudflare) Crons(ctx context.Context, script string) (list []string, err error) {
	var response envelope[struct {
		Schedules []struct {
			Cron string `json:"cron"`
		} `json:"schedules"`
	}]
	err = c.call(ctx, http.MethodGet, c.path("/workers/scripts/%s/schedules", script), nil, &response)
	if IsMissing(err) {
		return nil, nil
	}
	for _, s := range response.Result.Schedules {
		list = append(list, s.Cron)
	}
	return list, err
}

// DomainOf returns the script of a host name, "" for none:
// https://developers.cloudflare.com/api/resources/workers/subresources/domains/methods/list/
func (c *Cloudflare) DomainOf(ctx context.Context, host string) (script string, err error) {
	var response envelope[[]struct {
		Hostname string `json:"hostname"`
		Service  string `json:"service"`
	}]
	err = c.call(ctx, http.MethodGet, c.path("/workers/domains")+"?hostname="+url.QueryEscape(host), nil, &response)
	for _, domain := range response.Result {
		if domain.Hostname == host {
			script = domain.Service
		}
	}
	return script, err
}

// SetDomain assigns a host name of one of the account's zones to a script:
// https://developers.cloudflare.com/api/resources/workers/subresources/domains/methods/update/
func (c *Cloudflare) SetDomain(ctx context.Context, host, script string) error {
	return c.call(ctx, http.MethodPut, c.path("/workers/domains"), map[string]string{"hostname": host, "service": script}, nil)
}
