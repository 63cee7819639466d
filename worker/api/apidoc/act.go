package apidoc

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// acts has the names and required fields of actions. An action that is not here is named after its path.
var acts = map[string]struct {
	id, says string
	required string // names of fields
}{
	"/communities":                    {"createCommunity", "Founds a community.", "name"},
	"/welcome":                        {"subscribeToSeveral", "Joins several communities.", ""},
	"/subscribe":                      {"subscribe", "Joins a community, or leaves it.", "community on"},
	"/follow":                         {"follow", "Follows a member, or ends that.", "user on"},
	"/block":                          {"block", "Blocks a member, or ends that.", "user on"},
	"/submit":                         {"submit", "Posts to a community.", "community"},
	"/c/{community}/submit":           {"submitTo", "Posts to the community of the address.", ""},
	"/post":                           {"postToProfile", "Posts to one's own profile.", "text"},
	"/comment":                        {"comment", "Comments on a post, or answers a comment.", "body"},
	"/vote":                           {"vote", "Votes on a post or comment.", "target value"},
	"/save":                           {"save", "Saves a post or comment, or ends that.", "target on"},
	"/hide":                           {"hide", "Hides a post, or ends that.", "target on"},
	"/edit":                           {"edit", "Edits one's own post or comment.", "target"},
	"/delete":                         {"remove", "Deletes one's own post, draft or comment.", "target"},
	"/pictures":                       {"uploadPicture", "Uploads a picture, which posts can then name.", "picture"},
	"/drafts":                         {"keepDraft", "Keeps a new draft.", ""},
	"/draft":                          {"saveDraft", "Saves a draft.", "target"},
	"/publish":                        {"publish", "Publishes a draft.", "target"},
	"/report":                         {"report", "Reports a post, comment or member to moderators.", ""},
	"/preview":                        {"preview", "Shows Markdown as HTML.", ""},
	"/settings/filters":               {"changeFilter", "Adds a filter to what the member's lists leave out, or removes it.", "kind value"},
	"/watch":                          {"watch", "Follows or mutes a thread.", "target watch"},
	"/inbox/read":                     {"markRead", "Marks entries of the inbox as read.", ""},
	"/inbox/unread":                   {"undoReadAll", "Marks as unread what was marked as read with everything else.", "newest"},
	"/messages":                       {"beginConversation", "Writes to moderators or administrators.", ""},
	"/messages/{conversation}":        {"writeMessage", "Adds to a conversation with moderators.", ""},
	"/decisions/{decision}":           {"appeal", "Appeals against a decision.", "text"},
	"/settings":                       {"changeSettings", "Changes how one reads, and the profile.", ""},
	"/settings/notifications":         {"changeNotifications", "Chooses which mails come.", ""},
	"/c/{community}/settings":         {"changeCommunity", "Changes a community.", "title colour"},
	"/c/{community}/moderators":       {"changeModerators", "Changes who moderates a community.", "do"},
	"/c/{community}/mod/decide":       {"decide", "Decides about a post or comment.", "target decision"},
	"/c/{community}/mod/bans":         {"ban", "Bans or mutes a member in a community, or ends that.", "user decision"},
	"/c/{community}/mod/authors":      {"banAuthors", "Bans or mutes several members in a community.", "member decision"},
	"/c/{community}/mod/queue":        {"decideQueue", "Decides about what waits in a community's queue.", "target decision"},
	"/mod/queue":                      {"decideQueues", "Decides about what waits in all queues of a moderator.", "target decision"},
	"/c/{community}/mod/member":       {"noteMember", "Adds a note about a member, or takes one away.", "user"},
	"/c/{community}/mod/rules":        {"changeRules", "Changes which automatic rules work.", ""},
	"/c/{community}/mod/rule":         {"saveRule", "Saves an automatic rule.", ""},
	"/c/{community}/mod/flair":        {"changeFlairs", "Changes the flairs of a community.", ""},
	"/c/{community}/mod/give-flair":   {"giveFlair", "Gives a post a flair.", "target"},
	"/c/{community}/mod/user-flair":   {"giveMemberFlair", "Gives a member a flair.", "user"},
	"/c/{community}/flair":            {"chooseFlair", "Chooses one's own flair in a community.", ""},
	"/c/{community}/mod/page":         {"savePage", "Writes a page of a community, or changes one.", "title text"},
	"/c/{community}/mod/page/delete":  {"deletePage", "Deletes a page of a community.", "page"},
	"/c/{community}/mod/page/restore": {"restorePage", "Restores a revision of a page of a community.", "page number"},
	"/c/{community}/mod/pictures":     {"unblockPicture", "Lets a blocked picture be posted again.", "block"},
	"/c/{community}/mod/title":        {"changeTitle", "Gives a post another title.", "target title"},
	"/c/{community}/mod/quarantine":   {"decideQuarantine", "Decides about quarantined votes.", "case decision"},
}

func actOperation(rt Route, actions map[string]Action) (map[string]any, error) {
	action, ok := actions[rt.Pattern]
	if !ok {
		return nil, fmt.Errorf("apidoc: docs/api.md lacks %s", rt.Pattern)
	}
	act := acts[rt.Pattern]
	if act.id == "" {
		act.says = strings.Join(regexp.MustCompile(`[a-z]+`).FindAllString(rt.Pattern, -1), " ")
		for _, w := range strings.Fields("do " + act.says) {
			act.id += strings.ToUpper(w[:1]) + w[1:]
		}
	}
	fields := map[string]any{}
	for _, f := range Fields(action.Fields) {
		fields[f.Name] = map[string]any{"type": fieldType(rt.Pattern, f.Name), "description": f.Description}
		if f.Description == "" {
			delete(fields[f.Name].(map[string]any), "description")
		}
	}
	body := map[string]any{"type": "object", "properties": fields}
	if required := strings.Fields(act.required); len(required) > 0 {
		for _, name := range required {
			if fields[name] == nil {
				return nil, fmt.Errorf("apidoc: %s has no field %s in docs/api.md", rt.Pattern, name)
			}
		}
		body["required"] = required
	}
	properties := map[string]any{}
	for _, f := range Fields(action.Response) {
		properties[f.Name] = responseField(f.Name)
	}
	list := pathParameters(rt.Pattern)
	if strings.Contains("/communities /submit /c/{community}/submit /comment", rt.Pattern) {
		list = append(list, map[string]any{"name": "Idempotency-Key", "in": "header", "required": false,
			"schema":      map[string]any{"type": "string", "pattern": "^[0-9A-Za-z_-]{16,64}$"},
			"description": "The same key with the same fields makes a thing once, however often it is sent."})
	}
	op := map[string]any{
		"operationId": act.id, "summary": act.says, "tags": []any{"Actions"}, "parameters": list, "security": security(rt.Member),
		"description": fmt.Sprintf("Fields: %s. A token needs the scope `%s`. At most %d in %s.", strings.TrimSuffix(action.Fields, "."),
			rt.Scope, rt.Max, period(rt.Per)),
		"responses": responses(map[string]any{"type": "object", "properties": properties}, limitHeaders),
	}
	if len(fields) > 0 {
		kinds := []string{"application/json", "application/x-www-form-urlencoded"}
		if rt.Pattern == "/pictures" {
			kinds = []string{"multipart/form-data"}
			for _, file := range []string{"picture", "small"} {
				fields[file].(map[string]any)["format"] = "binary"
			}
		}
		op["requestBody"] = map[string]any{"required": true, "content": content(body, kinds...)}
	}
	return op, nil
}

var limitHeaders = map[string]any{
	"RateLimit": map[string]any{"description": "How often the action may be used now, `r`, and after how many seconds fully again, `t`.",
		"schema": map[string]any{"type": "string"}},
	"RateLimit-Policy": map[string]any{"description": "How often the action may be used, `q`, in how many seconds, `w`.",
		"schema": map[string]any{"type": "string"}},
}

func period(per time.Duration) string {
	switch per {
	case time.Minute:
		return "a minute"
	case time.Hour:
		return "an hour"
	}
	return fmt.Sprintf("%d minutes", int(per/time.Minute))
}

// fieldType returns the type of a field in JSON. Every field may also be a text, as in forms.
func fieldType(pattern, name string) string {
	switch name {
	case "on", "spoiler", "short", "required", "fixed", "active":
		return "boolean"
	case "nsfw":
		if pattern != "/settings" { // hide or show
			return "boolean"
		}
	case "hide":
		return "boolean"
	case "value":
		if pattern == "/vote" {
			return "integer"
		}
	case "days", "clear", "revision", "number", "links", "pictures", "younger", "karma", "accepted", "hourly", "reports":
		return "integer"
	}
	return "string"
}

// responseField returns the type of a field of an action's response.
func responseField(name string) map[string]any {
	switch name {
	case "score", "ups", "downs", "my_vote", "unread", "revision", "width", "height", "bytes":
		return map[string]any{"type": "integer"}
	case "on", "saved", "hidden", "hide", "ok", "blocked":
		return map[string]any{"type": "boolean"}
	case "posts", "comments":
		return map[string]any{"type": "object"}
	case "communities", "decided", "users", "left":
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	return map[string]any{"type": "string"}
}

// Field is a field that a line of docs/api.md names, with the text in the parentheses after it.
type Field struct{ Name, Description string }

// Fields returns the fields that a text names: words in backquotes outside of parentheses.
func Fields(text string) (list []Field) {
	seen, fieldName := map[string]bool{}, regexp.MustCompile(`^[a-z][a-zA-Z0-9_-]*$`)
	for len(text) > 0 {
		switch text[0] {
		case '(':
			group := parenthesis(text)
			text = text[len(group):]
			if n := len(list); n > 0 && list[n-1].Description == "" {
				list[n-1].Description = strings.TrimSuffix(strings.TrimPrefix(group, "("), ")")
			}
		case '`':
			name, rest, _ := strings.Cut(text[1:], "`")
			if !seen[name] && !strings.Contains(name, "-N-") && fieldName.MatchString(name) {
				list = append(list, Field{Name: name})
			}
			seen[name], text = true, rest
		default:
			text = text[1:]
		}
	}
	return list
}

// parenthesis returns the beginning of a text, from its opening parenthesis to the closing one.
func parenthesis(text string) string {
	depth := 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}
