package apidoc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	adminpages "plaza/render/admin"
	communitypages "plaza/render/community"
	inboxpages "plaza/render/inbox"
	listingpages "plaza/render/listing"
	moderationpages "plaza/render/moderation"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/api"
)

// models are the view models that programs read, and their parts, in the order in which the page for people has them.
var models = []any{
	ui.PostItem{}, ui.PostPicture{}, ui.LeftOut{},
	ui.LinkPreview{}, ui.Flair{}, ui.Removal{}, ui.Original{}, ui.Comment{}, ui.More{}, postpages.PostPage{}, ui.Banned{},
	postpages.Draft{}, ui.Watch{}, listingpages.ProfileComment{},
	ui.Avatar{}, ui.Community{}, ui.Rule{}, ui.CommunityItem{}, ui.OwnCommunities{}, ui.OwnCommunity{}, listingpages.ProfilePage{},
	listingpages.ProfileLink{}, ui.Person{}, ui.MemberFlair{},
	moderationpages.LogPage{}, moderationpages.LogLine{}, moderationpages.NumbersPage{}, moderationpages.ModeratorNumbers{},
	moderationpages.KindNumber{}, moderationpages.TransparencyPage{}, moderationpages.TransparencyCount{},
	communitypages.TeamPage{}, communitypages.Teammate{}, ui.Invitation{}, communitypages.WikiListPage{},
	communitypages.WikiItem{}, communitypages.WikiPage{}, adminpages.SitePage{},
	inboxpages.InboxPage{}, inboxpages.InboxThread{}, inboxpages.InboxItem{},
	listingpages.OwnPostsPage{}, listingpages.OwnPost{}, moderationpages.ConversationsPage{}, moderationpages.ConversationLine{},
	moderationpages.ConversationPage{}, ui.ConversationMessage{},
	ui.Piece{}, listingpages.FoundComment{}, listingpages.SearchPage{},
	ui.Tag{}, communitypages.TagPage{}, communitypages.TagsPage{},
	ui.Viewer{}, listingpages.FrontPage{}, listingpages.EditionPage{}, listingpages.EditionQuote{},
	communitypages.CommunityPage{}, listingpages.HomePage{}, postpages.DiscussionsPage{},
	listingpages.SavedPage{}, ui.CommunitiesPage{},
}

// names are the names of types that have another name for programs.
var names = map[reflect.Type]string{
	reflect.TypeFor[ui.PostItem]():               "Post",
	reflect.TypeFor[ui.PostPicture]():            "Picture",
	reflect.TypeFor[ui.LinkPreview]():            "Preview",
	reflect.TypeFor[listingpages.OwnPostsPage](): "DeskPage",
	reflect.TypeFor[listingpages.OwnPost]():      "DeskItem",
}

func nameOf(t reflect.Type) string {
	if name := names[t]; name != "" {
		return name
	}
	return t.Name()
}

func objects() (types []reflect.Type) {
	for _, m := range models {
		types = append(types, reflect.TypeOf(m))
	}
	return types
}

// field is a field of JSON with its description.
type field struct {
	api.Field
	says string
}

// following has the descriptions of the two fields that replace the address of the following page.
var following = map[string]string{
	"after": "The cursor of the next page, for the parameter `after`; null on the last page.",
	"next":  "Address of the next page in JSON; null on the last page.",
}

// fieldsOf returns the fields of a type. The description of a field is its comment in the source, up to an empty line. After that line is
// what programs need not know.
func fieldsOf(t reflect.Type) (list []field) {
	texts := comments(t)
	for _, f := range api.Fields(t) {
		says := texts[f.Source.Index[0]]
		if f.Source.Tag.Get("as") == "following" {
			says = following[f.Name]
		}
		list = append(list, field{f, says})
	}
	return list
}

// allFields returns the fields of a type, with those of inline parts in place of these parts.
func allFields(t reflect.Type) (list []field) {
	for _, f := range fieldsOf(t) {
		if f.Inline() {
			list = append(list, allFields(f.Source.Type)...)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// comments returns the comments of a type's fields, by their index in the type.
func comments(t reflect.Type) map[int]string {
	texts := map[int]string{}
	for _, file := range sources(t.PkgPath()) {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok || s.Name.Name != t.Name() {
					continue
				}
				index := 0
				for _, f := range s.Type.(*ast.StructType).Fields.List {
					text, _, _ := strings.Cut(f.Doc.Text()+f.Comment.Text(), "\n\n")
					for range max(len(f.Names), 1) {
						texts[index] = strings.Join(strings.Fields(text), " ")
						index++
					}
				}
			}
		}
	}
	return texts
}

var parsed = map[string][]*ast.File{}

// sources returns the parsed files of a package of the module.
func sources(pkg string) []*ast.File {
	if parsed[pkg] == nil {
		root := "."
		for _, err := os.Stat("go.mod"); err != nil; _, err = os.Stat(filepath.Join(root, "go.mod")) {
			root = filepath.Join(root, "..")
		}
		list, err := filepath.Glob(filepath.Join(root, strings.TrimPrefix(pkg, "plaza/"), "*.go"))
		if err != nil {
			panic(err)
		}
		for _, name := range list {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				panic(fmt.Sprintf("apidoc: %s: %v", name, err))
			}
			parsed[pkg] = append(parsed[pkg], file)
		}
	}
	return parsed[pkg]
}
