package ledger

import (
	"hash/fnv"
	"time"

	"plaza/test/workertest"
	"plaza/worker/pictures"
)

// received is a picture as the edge passes it on.
func received(name string) pictures.Received {
	h := fnv.New32()
	_, _ = h.Write([]byte(name))
	return pictures.Received{Field: "picture", Name: "a.webp", Type: "image/webp", Width: 800, Height: 600, Frames: 1, Bytes: 2000,
		Sum: workertest.Sum(int(h.Sum32())), Small: true}
}

func picture(_ *FaultySite, f *form) { f.pictures = []pictures.Received{received(f.values["name"])} }

// soon is when a scheduled post is due. It is within the time that passes when a fault is over.
func soon(w *FaultySite, f *form) {
	f.values["soon"] = w.clock.read().Add(40 * time.Minute).UTC().Format("2006-01-02T15:04")
}

const (
	// published is how a post stands, and the sum of its votes. It has its author's.
	published   = "SELECT p.status, (SELECT sum(v.value) FROM votes v WHERE v.target_id = p.id) FROM posts p WHERE p.title = '{name}'"
	isPublished = "published 1"
	status      = "SELECT status FROM posts WHERE title = '{name}'"
	commented   = "SELECT c.parent_id, (SELECT sum(v.value) FROM votes v WHERE v.target_id = c.id) FROM comments c WHERE c.body = '{name}'"
	voteOfBen   = "SELECT value FROM votes WHERE target_id = {n} AND user_id = {ben}"
)

var contentActs = []Act{
	act("post a text", "POST /c/{community}/submit", ben, "title={name}&text=words&tags=tag1 tag2", nil, published, isPublished),
	act("post a text from the front page", "POST /submit", ben, "title={name}&text=words&community={community}", nil, published, isPublished),
	act("post a link", "POST /c/{community}/submit", ben, "title={name}&link=https://10.0.0.1/{name}", nil, published, isPublished),
	act("post a picture", "POST /c/{community}/submit", ann, "title={name}&picture-1={sum}&alt-1=A rose", steps{func(w *FaultySite, f *form) {
		(&form{by: f.by, path: "/pictures", pictures: []pictures.Received{received(f.values["name"])}}).send(tokenOf(f.values["name"]))
	}}, "SELECT status, pictures ->> '$[0].sum' FROM posts WHERE title = '{name}'", "published {sum}"),
	act("crosspost", "POST /c/{community}/submit", ben, "title={name}&crosspost={id}", steps{post(ann, "Original {name}")}, published,
		isPublished),
	act("post on the profile", "POST /post", newMember, "text={name}", nil, published, isPublished),
	act("upload a picture", "POST /pictures", ann, "", steps{picture},
		"SELECT state FROM pictures WHERE sum = '{sum}' AND state = 'stored'", "stored").late(),
	act("keep a draft", "POST /c/{community}/submit", ben, "title={name}&text=words&status=draft", nil, status, "draft"),
	act("keep a draft by itself", "POST /drafts", ben, "community={community}&title={name}&text=words", nil, status, "draft"),
	act("schedule a post", "POST /c/{community}/submit", ben, "title={name}&text=words&status=scheduled&publish_at={soon}", steps{soon},
		published, isPublished).late(),
	act("edit a draft", "POST /draft", ben, "target={id}&title={name}&text=changed&revision=0",
		steps{post(ben, "Before {name}", "status", "draft")}, "SELECT title FROM posts WHERE id = {n}", "Before {name} -> {name}"),
	act("publish a draft", "POST /publish", ben, "target={id}", steps{post(ben, "{name}", "status", "draft")}, published,
		"draft <nil> -> "+isPublished),
	act("publish a draft with changes", "POST /publish", ben, "target={id}&title={name}&text=changed&revision=0",
		steps{post(ben, "Before {name}", "status", "draft")}, published, isPublished),
	act("edit a post", "POST /edit", ben, "target={id}&text={name}&revision=0", steps{post(ben, "Title of {name}")},
		"SELECT text FROM post_texts WHERE post_id = {n}", "words -> {name}"),
	act("delete a post", "POST /delete", ben, "target={id}", steps{post(ben, "{name}")}, "SELECT status FROM posts WHERE id = {n}",
		"published -> deleted"),
	act("comment", "POST /comment", ben, "post={id}&body={name}", steps{post(ann, "About {name}")}, commented, "0 1"),
	act("reply", "POST /comment", ben, "parent={id}&body={name}", steps{comment(ann, "Above {name}")}, commented, "{n} 1"),
	act("edit a comment", "POST /edit", ben, "target={id}&body={name}&revision=0", steps{comment(ben, "Before {name}")},
		"SELECT body FROM comments WHERE id = {n}", "Before {name} -> {name}"),
	act("delete a comment", "POST /delete", ben, "target={id}", steps{comment(ben, "{name}")}, "SELECT status FROM comments WHERE id = {n}",
		"published -> deleted"),
	act("vote on a post", "POST /vote", ben, "target={id}&value=1", steps{post(ann, "{name}")}, voteOfBen, "1"),
	act("vote on a comment", "POST /vote", ben, "target={id}&value=-1", steps{comment(ann, "{name}")}, voteOfBen, "-1"),
	act("change a vote", "POST /vote", ben, "target={id}&value=-1",
		steps{post(ann, "{name}"), first(ben, "/vote", "target={id}&value=1")}, voteOfBen, "1 -> -1"),
	act("take a vote back", "POST /vote", ben, "target={id}&value=0",
		steps{comment(ann, "{name}"), first(ben, "/vote", "target={id}&value=1")}, voteOfBen, "1 -> 0"),
	act("save", "POST /save", ben, "target={id}&on=1", steps{comment(ann, "{name}")},
		"SELECT 'there' FROM saves WHERE target_id = {n}", "there"),
	act("forget what was saved", "POST /save", ben, "target={id}&on=0", steps{post(ann, "{name}"), first(ben, "/save", "target={id}&on=1")},
		"SELECT count(*) FROM saves WHERE target_id = {n}", "1 -> 0"),
	act("hide", "POST /hide", ben, "target={id}&on=1", steps{post(ann, "{name}")}, "SELECT 'there' FROM hides WHERE post_id = {n}", "there"),
	act("follow a thread", "POST /watch", ben, "target={id}&watch=follow", steps{post(ann, "{name}")},
		"SELECT 'there' FROM watches WHERE post_id = {n} AND muted = 0 AND user_id = {ben}", "there"),
	act("read the inbox", "POST /inbox/read", newMember, "newest={newest}", steps{mentioned},
		"SELECT count(*) FROM inbox WHERE unread = 1 AND user_id = {user}", "1 -> 0"),
	act("undo that the inbox was read", "POST /inbox/unread", newMember, "newest={newest}",
		steps{mentioned, first(self, "/inbox/read", "newest={newest}")},
		"SELECT 'there' FROM inbox WHERE unread = 1 AND user_id = {user}", "there"),
	act("follow a member", "POST /follow", ben, "user={name}&on=1", steps{member},
		"SELECT 'there' FROM follows WHERE followee_id = {user}", "there"),
	act("follow a member no more", "POST /follow", ben, "user={name}&on=0", steps{member, first(ben, "/follow", "user={name}&on=1")},
		"SELECT count(*) FROM follows WHERE followee_id = {user}", "1 -> 0"),
	act("block a member", "POST /block", ben, "user={name}&on=1", steps{member},
		inDirectory+"SELECT 'there' FROM blocks WHERE blocked_id = {user}", "there"),
	act("block a member no more", "POST /block", ben, "user={name}&on=0", steps{member, first(ben, "/block", "user={name}&on=1")},
		inDirectory+"SELECT count(*) FROM blocks WHERE blocked_id = {user}", "1 -> 0"),
	act("follow a tag", "POST /tags/follow", newMember, "tag=wasm&on=1", steps{post(ann, "With a tag {name}", "tags", "wasm")},
		"SELECT 'there' FROM tag_follows WHERE user_id = {user}", "there"),
	act("join a community", "POST /subscribe", newMember, "community={community}&on=1", nil,
		"SELECT 'there' FROM subscriptions WHERE user_id = {user}", "there"),
	act("leave a community", "POST /subscribe", newMember, "community={community}&on=0",
		steps{first(self, "/subscribe", "community={community}&on=1")}, "SELECT count(*) FROM subscriptions WHERE user_id = {user}", "1 -> 0"),
	act("join what is proposed", "POST /welcome", newMember, "community={community}", nil,
		"SELECT 'there' FROM subscriptions WHERE user_id = {user}", "there"),
}
