// Why targets are not met, by their names (targets.mjs). The report says it of those that it does not meet.

export const reasons = {
  "Member's listing, warm: CPU, in parts of Hono's with the same caches":
    "the rows are copied from HTML that members share, but the rest of the page is written for each member, by Go's code in Wasm, which takes longer for texts than JavaScript.",
  "After a vote: CPU, in parts of Hono's":
    "all of the member's own state is read again, not the vote alone.",
  "The same thread, read again: CPU, in parts of Hono's":
    "the state of 180 comments is read for the member, and a page of 200 KB leaves Wasm.",
  "Nothing warm: CPU, in parts of Hono's":
    "an engine decodes JSON by itself for JavaScript. In Wasm that is Plaza's code, and every text crosses from one memory into the other.",
  "Nothing warm: CPU, in parts of plain JavaScript's":
    "plain JavaScript asks the database too, but it reads nothing of the answer and sends a text that is ready.",
  "Thread of 500 comments: CPU, in parts of Hono's":
    "its answer has 800 rows to decode, and its page 200 KB to write. Both are done in Wasm.",
  "Compiling and starting: CPU, ms":
    "it grows with app.wasm.",
  "app.wasm, MB":
    "13 MB are code, of Plaza, of Go's runtime, and of libraries for Markdown, crypto and encodings. The others are Go's tables of functions and types, texts, and the memory of the snapshot.",
  "Rows written by a vote, whatever the tags":
    "a vote, its delta, its row in `vote_origins`, the author's karma and the post's row are 6 to 8, without the indexes of the post. A new post has five more, one for each order in which the vote moves it, and a vote that turns its direction two more, for what is controversial. From 32 points on most votes move it in none. 'Rows written' says why no index can go.",
  "Rows written by a comment":
    "a comment meets it. A reply by the author of the post has one or two more where it changes the order of questions and answers. In threads of more than 31 comments each writes two less.",
  "Rows written by a post with five tags":
    "tags that exist meet it. New tags have rows of their own.",
  "A million votes, $":
    "it is a vote on a new post that nobody else votes on in the same second: its rows are most of the price, then two commands of Redis. With VOTES_BY_MINUTE and without Redis, votes meet it.",
};
