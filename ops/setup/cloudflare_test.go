package setup

import (
	"bytes"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/test/servicestest"
)

// cloudflare imitates one account, of several that its token can use. Lists come in small pages.
type cloudflare struct {
	providers *providers

	URL, Token, Account string
	Subdomain           string
	Accounts            []string        // names of further accounts
	Forbidden           map[string]bool // permissions that the token lacks: "queues", "r2", "scripts"
	NoR2                bool            // the account has not enabled it
	Zones               []string        // names of zones

	Queues  []*cloudQueue
	Buckets []string
	Scripts map[string]*cloudScript
	Domains map[string]string // script by host name
}

// cloudQueue is a queue with the script that consumes its messages.
type cloudQueue struct{ Name, Consumer string }

// cloudScript is a Worker.
type cloudScript struct {
	Uploads   int
	Secrets   map[string][]string // all values that each had
	Variables map[string]string
	Crons     []string
	Buckets   []string
	// OnWorkersDev: it also answers at a name below workers.dev.
	OnWorkersDev bool
}

func openCloudflare(w *providers) *cloudflare {
	c := &cloudflare{providers: w, Token: w.Token("cf_"), Account: "0123456789abcdef0123456789abcdef", Subdomain: "example",
		Zones: []string{"example.org"}, Scripts: map[string]*cloudScript{}, Domains: map[string]string{}, Forbidden: map[string]bool{}}
	c.URL = w.Serve(c.handle)
	return c
}

type (
	object   = servicestest.Object
	response = servicestest.Response
)

func ok(result any) response {
	return servicestest.Right(object{"success": true, "errors": []any{}, "messages": []any{}, "result": result})
}

func no(status, code int, message string) response {
	return response{Status: status, Body: object{"success": false, "errors": []any{object{"code": code, "message": message}}, "messages": []any{},
		"result": nil}}
}

// pageSize is the size of a list's page, whatever is requested.
const pageSize = 2

// page returns one page of a list.
func page[T any](r *http.Request, list []T) response {
	n, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || n < 1 {
		n = 1
	}
	part := list[min((n-1)*pageSize, len(list)):min(n*pageSize, len(list))]
	a := ok(part)
	a.Body.(object)["result_info"] = object{"page": n, "per_page": pageSize, "count": len(part), "total_count": len(list),
		"total_pages": (len(list) + pageSize - 1) / pageSize}
	return a
}

func (c *cloudflare) handle(r *http.Request, body []byte) response {
	if r.Header.Get("Authorization") != "Bearer "+c.Token {
		return no(401, 1000, "Invalid API Token")
	}
	if r.URL.Path == "/accounts" && r.Method == http.MethodGet {
		list := []object{}
		for i, name := range c.Accounts {
			list = append(list, object{"id": strconv.Itoa(i), "name": name, "type": "standard"})
		}
		return page(r, append(list, object{"id": c.Account, "name": "Example", "type": "standard"}))
	}
	path, mine := strings.CutPrefix(r.URL.Path, "/accounts/"+c.Account+"/")
	if !mine {
		return no(403, 9109, "Unauthorized to access requested resource")
	}
	for permission, prefix := range map[string]string{"queues": "queues", "r2": "r2/", "scripts": "workers/"} {
		if c.Forbidden[permission] && strings.HasPrefix(path, prefix) {
			return no(403, 10000, "Authentication error")
		}
	}
	parts := strings.Split(path, "/")
	switch {
	case parts[0] == "queues" && len(parts) == 1:
		return c.queues(r, body)
	case parts[0] == "r2" && parts[1] == "buckets":
		return c.buckets(r, parts[2:], body)
	case path == "workers/subdomain" && r.Method == http.MethodGet:
		if c.Subdomain == "" {
			return no(404, 10007, "This account does not have a workers.dev subdomain")
		}
		return ok(object{"subdomain": c.Subdomain})
	case path == "workers/domains":
		return c.domains(r, body)
	case path == "workers/scripts" && r.Method == http.MethodGet:
		list := []object{}
		for _, name := range slices.Sorted(maps.Keys(c.Scripts)) {
			list = append(list, object{"id": name})
		}
		return ok(list)
	case strings.HasPrefix(path, "workers/scripts/"):
		return c.script(r, parts[2], parts[3:], body)
	}
	return no(404, 7000, "No route for that URI")
}

func (c *cloudflare) queues(r *http.Request, body []byte) response {
	switch r.Method {
	case http.MethodGet:
		list := []object{}
		for _, q := range c.Queues {
			consumers := []object{}
			if q.Consumer != "" {
				consumers = append(consumers, object{"script_name": q.Consumer, "type": "worker"})
			}
			list = append(list, object{"queue_id": "q" + q.Name, "queue_name": q.Name, "consumers": consumers})
		}
		return page(r, list)
	case http.MethodPost:
		var in struct {
			Name string `json:"queue_name"`
		}
		if servicestest.Parse(body, &in) != nil || in.Name == "" {
			return no(400, 10002, "invalid body")
		}
		if slices.ContainsFunc(c.Queues, func(q *cloudQueue) bool { return q.Name == in.Name }) {
			return no(409, 11009, "Queue name '"+in.Name+"' is already taken")
		}
		c.Queues = append(c.Queues, &cloudQueue{Name: in.Name})
		return ok(object{"queue_name": in.Name})
	}
	return no(405, 10405, "Method not allowed")
}

func (c *cloudflare) buckets(r *http.Request, rest []string, body []byte) response {
	if c.NoR2 {
		return no(403, 10042, "Please enable R2 through the Cloudflare Dashboard.")
	}
	switch {
	case r.Method == http.MethodGet && len(rest) == 0:
		list := []object{}
		for _, name := range c.Buckets {
			list = append(list, object{"name": name})
		}
		return ok(object{"buckets": list})
	case r.Method == http.MethodGet && slices.Contains(c.Buckets, rest[0]):
		return ok(object{"name": rest[0]})
	case r.Method == http.MethodGet:
		return no(404, 10006, "The specified bucket does not exist.")
	case r.Method == http.MethodPost && len(rest) == 0:
		var in struct {
			Name string `json:"name"`
		}
		if servicestest.Parse(body, &in) != nil || in.Name == "" {
			return no(400, 10001, "invalid body")
		}
		if slices.Contains(c.Buckets, in.Name) {
			return no(409, 10004, "The bucket you tried to create already exists, and you own it.")
		}
		c.Buckets = append(c.Buckets, in.Name)
		return ok(object{"name": in.Name})
	}
	return no(405, 10405, "Method not allowed")
}

func (c *cloudflare) domains(r *http.Request, body []byte) response {
	switch r.Method {
	case http.MethodGet:
		list := []object{}
		for host, script := range c.Domains {
			if wanted := r.URL.Query().Get("hostname"); wanted == "" || wanted == host {
				list = append(list, object{"hostname": host, "service": script})
			}
		}
		return ok(list)
	case http.MethodPut:
		var in struct {
			Hostname string `json:"hostname"`
			Service  string `json:"service"`
		}
		if servicestest.Parse(body, &in) != nil || c.Scripts[in.Service] == nil {
			return no(400, 10001, "invalid body")
		}
		if !slices.ContainsFunc(c.Zones, func(z string) bool { return in.Hostname == z || strings.HasSuffix(in.Hostname, "."+z) }) {
			return no(400, 10082, "no zone of this account has that host name")
		}
		c.Domains[in.Hostname] = in.Service
		return ok(object{"hostname": in.Hostname, "service": in.Service})
	}
	return no(405, 10405, "Method not allowed")
}

func (c *cloudflare) script(r *http.Request, name string, rest []string, body []byte) response {
	what := r.Method + " " + strings.Join(rest, "/")
	script := c.Scripts[name]
	if what == "PUT " {
		return c.upload(r, name, body)
	}
	if script == nil {
		return no(404, 10007, "This Worker does not exist on your account.")
	}
	switch what {
	case "GET secrets":
		list := []object{}
		for secret := range script.Secrets {
			list = append(list, object{"name": secret, "type": "secret_text"})
		}
		return ok(list)
	case "PUT secrets":
		var in struct {
			Name string `json:"name"`
			Text string `json:"text"`
			Type string `json:"type"`
		}
		if servicestest.Parse(body, &in) != nil || in.Name == "" || in.Text == "" || in.Type != "secret_text" {
			return no(400, 10021, "invalid secret")
		}
		script.Secrets[in.Name] = append(script.Secrets[in.Name], in.Text)
		return ok(object{"name": in.Name, "type": "secret_text"})
	case "GET settings":
		list := []object{}
		for name, text := range script.Variables {
			list = append(list, object{"type": "plain_text", "name": name, "text": text})
		}
		for secret := range script.Secrets {
			list = append(list, object{"type": "secret_text", "name": secret})
		}
		for _, bucket := range script.Buckets {
			list = append(list, object{"type": "r2_bucket", "name": "PICTURES", "bucket_name": bucket})
		}
		return ok(object{"bindings": list})
	case "GET subdomain":
		return ok(object{"enabled": script.OnWorkersDev, "previews_enabled": false})
	case "GET schedules":
		list := []object{}
		for _, cron := range script.Crons {
			list = append(list, object{"cron": cron})
		}
		return ok(object{"schedules": list})
	}
	return no(404, 7000, "No route for that URI")
}

// upload accepts a script as multipart/form-data: a part with the metadata, and its modules. It replaces the existing one, including
// secrets.
func (c *cloudflare) upload(r *http.Request, name string, body []byte) response {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return no(415, 10001, "Content-Type must be multipart/form-data")
	}
	var metadata struct {
		Main     string `json:"main_module"`
		Date     string `json:"compatibility_date"`
		Bindings []struct {
			Type string `json:"type"`
			Name string `json:"name"`
			Text string `json:"text"`
		} `json:"bindings"`
	}
	modules := map[string]bool{}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return no(400, 10001, "a part is broken")
		}
		text, _ := io.ReadAll(part)
		if part.FormName() != "metadata" {
			modules[part.FormName()] = part.Header.Get("Content-Type") == "application/javascript+module"
		} else if servicestest.Parse(text, &metadata) != nil {
			return no(400, 10021, "unknown fields in metadata")
		}
	}
	if !modules[metadata.Main] || metadata.Date == "" {
		return no(400, 10021, "No such module: "+metadata.Main)
	}
	before := c.Scripts[name]
	c.Scripts[name] = &cloudScript{Uploads: 1, Secrets: map[string][]string{}, Variables: map[string]string{}}
	for _, b := range metadata.Bindings {
		if b.Type != "plain_text" || b.Name == "" {
			return no(400, 10021, "a binding is broken")
		}
		c.Scripts[name].Variables[b.Name] = b.Text
	}
	if before != nil {
		c.Scripts[name].Uploads += before.Uploads
	}
	return ok(object{"id": name})
}

// Deploy has the effects of wrangler deploy: variables, times, consumers, and whether there is a name below workers.dev. Secrets stay,
// except those that are sent along.
func (c *cloudflare) Deploy(script string, variables, secrets map[string]string, crons, queues []string, onWorkersDev bool) {
	c.providers.Lock()
	defer c.providers.Unlock()
	s := c.Scripts[script]
	if s == nil {
		s = &cloudScript{Secrets: map[string][]string{}}
		c.Scripts[script] = s
	}
	s.Uploads++
	for name, value := range secrets {
		s.Secrets[name] = append(s.Secrets[name], value)
	}
	s.Variables, s.Crons, s.OnWorkersDev = variables, crons, onWorkersDev
	for _, name := range queues {
		i := slices.IndexFunc(c.Queues, func(q *cloudQueue) bool { return q.Name == name })
		if i < 0 {
			c.providers.t.Errorf("wrangler deploy would refuse: there is no queue %s", name)
			continue
		}
		c.Queues[i].Consumer = script
	}
}

// Value returns the value of a secret, "" if it is not set.
func (c *cloudflare) Value(script, name string) string {
	c.providers.Lock()
	defer c.providers.Unlock()
	if s := c.Scripts[script]; s != nil && s.Secrets[name] != nil {
		return s.Secrets[name][len(s.Secrets[name])-1]
	}
	return ""
}
