package post

import (
	g "maragu.dev/gomponents"

	"plaza/render/markdown"
	"plaza/render/ui"
)

// The description of a thread for search engines: schema.org's DiscussionForumPosting, in JSON-LD.
type (
	postingData struct {
		Context     string        `json:"@context"`
		Type        string        `json:"@type"`
		URL         string        `json:"url"`
		Headline    string        `json:"headline"`
		Text        string        `json:"text,omitempty"`
		Image       string        `json:"image,omitempty"`
		Shared      *sharedData   `json:"sharedContent,omitempty"`
		Published   string        `json:"datePublished"`
		Modified    string        `json:"dateModified,omitempty"`
		Author      personData    `json:"author"`
		PartOf      sharedData    `json:"isPartOf"`
		Count       int64         `json:"commentCount"`
		Interaction []counterData `json:"interactionStatistic"`
		Comments    []commentData `json:"comment,omitempty"`
	}
	commentData struct {
		Type        string        `json:"@type"`
		URL         string        `json:"url"`
		Text        string        `json:"text"`
		Published   string        `json:"datePublished"`
		Modified    string        `json:"dateModified,omitempty"`
		Author      personData    `json:"author"`
		Interaction []counterData `json:"interactionStatistic"`
		Comments    []commentData `json:"comment,omitempty"`
	}
	personData struct {
		Type string `json:"@type"`
		Name string `json:"name"`
		URL  string `json:"url,omitempty"`
	}
	sharedData struct {
		Type string `json:"@type"`
		Name string `json:"name,omitempty"`
		URL  string `json:"url"`
	}
	counterData struct {
		Type  string `json:"@type"`
		Kind  string `json:"interactionType"`
		Count int64  `json:"userInteractionCount"`
	}
)

const (
	dataComments = 10  // comments in the description
	dataText     = 500 // characters of each, and of the post
)

// linkedData is the thread for search engines; nil on pages that they must not index, and for members.
func linkedData(p *PostPage) g.Node {
	if p.NoIndex || p.Viewer != nil || p.Canonical == "" {
		return nil
	}
	post := &p.Post
	d := postingData{
		Context: "https://schema.org", Type: "DiscussionForumPosting", URL: p.Canonical, Headline: ui.NameText(post.Title).String(),
		Published: ui.Instant(post.CreatedAt), Modified: ui.Instant(post.EditedAt), Author: person(post.Author, p.SiteURL), Count: p.Total,
		PartOf:      sharedData{"WebPage", p.Community.Title, p.SiteURL + ui.CommunityURL(p.Community.Name)},
		Interaction: []counterData{likes(post.Votes), {"InteractionCounter", "https://schema.org/CommentAction", p.Total}},
	}
	if !post.Spoiler && !post.NSFW {
		d.Text, d.Image = p.TextHTML.PlainText(dataText), p.Picture.URL
	}
	if link := markdown.SafeURL(post.Link); link != "" {
		d.Shared = &sharedData{Type: "WebPage", URL: link}
	}
	remaining := dataComments
	d.Comments = commentsData(p.Comments, p.SiteURL, &remaining)
	return ui.Component(func(m *ui.Markup) { data(m, d) })
}

// commentsData returns the first comments of a list with their replies. remaining is how many it may still add.
func commentsData(list []*ui.Comment, site string, remaining *int) (items []commentData) {
	for _, c := range list {
		if *remaining == 0 {
			break
		}
		if c.Deleted || c.Removed || c.Held {
			continue
		}
		*remaining--
		items = append(items, commentData{
			Type: "Comment", URL: site + c.PostURL + "/" + c.ID, Text: c.BodyHTML.PlainText(dataText), Published: ui.Instant(c.CreatedAt),
			Modified: ui.Instant(c.EditedAt),
			Author:   person(c.Author, site), Interaction: []counterData{likes(c.Votes)}, Comments: commentsData(c.Replies, site, remaining),
		})
	}
	return items
}

func person(name, site string) personData {
	if name == "" {
		return personData{Type: "Person", Name: ui.UnknownAuthor}
	}
	return personData{"Person", name, site + ui.ProfileURL(name)}
}

func likes(v ui.Votes) counterData {
	return counterData{"InteractionCounter", "https://schema.org/LikeAction", max(v.Ups, 0)}
}

// data writes v as JSON-LD in a script element, which browsers don't run.
func data(m *ui.Markup, v any) {
	m.Lit(`<script type="application/ld+json">`).JSON(v).Lit(`</script>`)
}
