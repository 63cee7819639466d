package api

import (
	"net/url"
	"slices"
	"strings"

	"plaza/render/ui"
)

// posts are posts and comments.
var posts = []object{
	{"Post", ui.PostItem{}, slices.Concat([]field{
		{from: "ID", name: "id", as: asID, says: "Id of the post."},
		{from: "URL", name: "slug", says: "The post's name in its community's addresses.",
			made: func(m any) string { return lastSegment(m.(*ui.PostItem).URL) }},
		{from: "URL", name: "permalink", says: "Address of the post with its thread."},
		{from: "Title", name: "title", says: "Title; empty when the post was removed."},
		{from: "Kind", name: "kind", says: "What leads: `link`, else `image`, else `text`."},
		{from: "Link", name: "link", says: "Outside address that the title leads to: the link, else the image; empty for text."},
		{from: "Domain", name: "domain", says: "Host of `link`."},
		{from: "Image", name: "image", says: "Address of its own image; empty for none."},
		{from: "ImageDomain", name: "image_domain", says: "Host of `image`."},
		{from: "ImageWidth", name: "image_width", says: "Width of the image in pixels; 0 where it isn't known."},
		{from: "ImageHeight", name: "image_height", says: "Height of the image in pixels; 0 where it isn't known."},
		{from: "Picture", name: "picture", as: asText, says: "Address on this site of a picture: its own image, or that of the page behind its " +
			"link; null for none.", made: pictureOf},
		{from: "Preview", name: "preview", says: "What the linked page says of itself; null where that isn't known."},
		{from: "Excerpt", name: "excerpt", says: "The first characters of the text, without formatting; empty for a spoiler.", made: excerptOf},
		{from: "Found", name: "found", says: "What a search has found in the text, in pieces."},
		{from: "Community", name: "community", says: "Name of its community; that of a profile begins with `u-`."},
		{from: "Colour", name: "community_colour", says: "Colour of the community's icon."},
		{from: "Author", name: "author", says: "Username of its author; empty when deleted or nobody's."},
		{from: "Avatar", name: "author_avatar", says: "The author's tile."},
		{from: "CreatedAt", name: "created_at", says: "When it was posted."},
		{from: "EditedAt", name: "edited_at", says: "When it was last edited; null when it is as posted."},
		{from: "Comments", name: "comments", says: "How many comments it has."},
		{from: "Views", name: "views", says: "How many people have looked at it, each counted once a week."},
		{from: "Votes", as: asInline},
		{from: "Tags", name: "tags", says: "Its tags, in their order."},
		{from: "Flair", name: "flair", says: "Its flair; the id is null for none."},
		{from: "Pinned", name: "pinned", says: "Whether moderators have pinned it."},
		{from: "Locked", name: "locked", says: "Whether moderators have locked it."},
		{from: "NSFW", name: "nsfw", says: "Whether it is not safe for work."},
		{from: "Spoiler", name: "spoiler", says: "Whether it is a spoiler."},
		{from: "Deleted", name: "deleted", says: "Whether its author has deleted it."},
		{from: "Removed", name: "removed", says: "Whether it was removed and the viewer does not see it any more."},
		{from: "Removal", name: "removal", says: "Why it was removed; null for what was not."},
		{from: "Unpublished", name: "unpublished", says: "Whether it is a draft, or scheduled. Only its author sees it."},
		{from: "CrosspostOf", name: "crosspost_of", as: asText, says: "Address of the post that it shows again; null for none."},
		{from: "Original", name: "original", says: "The post that it shows again, on the post's own page."},
		{from: "Others", name: "other_discussions", says: "How many other posts there are about the same, on the post's own page. More than 10 " +
			"are counted as 11."},
		{from: "OthersURL", name: "discussions", as: asAddress, says: "Address of the other posts about the same; null where there are none."},
		{from: "Saved", name: "saved", says: "Whether the viewer has saved it."},
		{from: "Hidden", name: "hidden", says: "Whether the viewer has hidden it."},
		{from: "Seen", name: "seen", says: "Whether the viewer has seen it within 90 days."},
		{from: "Blocked", name: "blocked", says: "Whether the viewer blocks its author."},
		{from: "CanCrosspost", name: "can_crosspost", says: "Whether the viewer can show it again elsewhere."},
		{from: "CanEdit", name: "can_edit", says: "Whether the viewer, who wrote it, can edit it."},
		{from: "CanDelete", name: "can_delete", says: "Whether the viewer, who wrote it, can delete it."},
		{from: "CanReport", name: "can_report", says: "Whether the viewer can report it."},
	}, without("Warned", "Mod"))},
	{"Votes", ui.Votes{}, slices.Concat([]field{
		{from: "Score", name: "score", says: "Upvotes minus downvotes, as this viewer sees them."},
		{from: "Ups", name: "ups", says: "Upvotes, as this viewer sees them."},
		{from: "Downs", name: "downs", says: "Downvotes, as this viewer sees them."},
		{from: "Mine", name: "my_vote", says: "The viewer's own vote: 1, -1 or 0."},
		{from: "Closed", name: "votes_closed", says: "Whether it takes no votes any more."},
	}, without("Target"))},
	{"Preview", ui.LinkPreview{}, []field{
		{from: "Title", name: "title", says: "Title of the page."},
		{from: "Description", name: "description", says: "Its description."},
		{from: "Site", name: "site", says: "Name of its site."},
	}},
	{"Flair", ui.Flair{}, []field{
		{from: "ID", name: "id", as: asID, says: "Id of the flair; null for none."},
		{from: "Text", name: "text", says: "What it says."},
		{from: "Colour", name: "colour", says: "Name of its colour."},
		{from: "URL", name: "posts", as: asAddress, says: "Address of the community's posts with it; null for none."},
	}},
	{"Removal", ui.Removal{}, []field{
		{from: "Rule", name: "rule", says: "The rule that was cited; empty where that isn't known."},
		{from: "Note", name: "note", says: "Words of the moderators, for its author and themselves."},
		{from: "Waits", name: "waits", says: "Whether it is held until a moderator has decided."},
		{from: "Hidden", name: "hidden", says: "Whether a rule has hidden it after reports, until a moderator has decided."},
	}},
	{"Original", ui.Original{}, []field{
		{from: "URL", name: "permalink", says: "Address of the post with its thread."},
		{from: "Community", name: "community", says: "Name of its community."},
		{from: "Title", name: "title", says: "Title."},
		{from: "Author", name: "author", says: "Username of its author; empty when deleted or nobody's."},
		{from: "Domain", name: "domain", says: "Host of what it links to."},
		{from: "Removed", name: "removed", says: "Whether it was removed."},
	}},
}

func lastSegment(address string) string {
	name := address[strings.LastIndexByte(address, '/')+1:]
	if text, err := url.PathUnescape(name); err == nil {
		return text
	}
	return name
}

// excerptOf is what a listing shows of a post's text.
func excerptOf(model any) string {
	if p := model.(*ui.PostItem); !p.Spoiler && !p.Deleted && !p.Removed {
		return p.Excerpt
	}
	return ""
}

func pictureOf(model any) string {
	if p := model.(*ui.PostItem); p.Picture {
		return "/img/" + p.ID
	}
	return ""
}
