// A member's page of a post with its comments.

import { raw } from "hono/html";
import { About, Layout, Letter, Time, Votes, fully } from "./layout.jsx";

const ORDERS = [["", "Best"], ["top", "Top"], ["new", "New"], ["old", "Old"], ["controversial", "Controversial"], ["qa", "Q&A"]];

export const Thread = ({ session, page, now }) => {
  const { community, viewer, post } = page;
  const here = `/c/${community.name}/p/${post.slug}`;
  const label = `t-${post.id}`;
  const score = Number(post.ups) - Number(post.downs);
  const replies = new Map();
  for (const comment of page.comments) {
    const list = replies.get(comment.parent_id);
    if (list) list.push(comment);
    else replies.set(comment.parent_id, [comment]);
  }
  return (
    <Layout title={post.title} session={session} viewer={viewer} aside={<About community={community} moderators={page.moderators} />}>
      <article class="full" id={`p-${post.id}`}>
        <p class="by">
          <a class="com" href={`/c/${community.name}`}><Letter name={community.name} colour={community.colour} />c/{community.name}</a>
          <a href={`/u/${post.author_name}`}>{post.author_name}</a><Time ms={Number(post.created_at)} now={now} />
          <span>last comment <Time ms={Number(post.commented_at)} now={now} /></span>
        </p>
        <h1 id={label}>{post.title}</h1>
        {post.html && <div class="md">{raw(post.html)}</div>}
        <div class="acts">
          <Votes id={post.id} label={label} score={score} value={post.value} />
          <span class="muted">{Math.floor(100 * Number(post.ups) / Math.max(1, Number(post.ups) + Number(post.downs)))}% upvoted</span>
          <details class="menu dots"><summary aria-label="More">⋯</summary><div>
            <div class="keep"><button form="do" formaction={`/save?target=${post.id}`} name="on" value="1">Save</button><button form="do" formaction={`/hide?target=${post.id}`} name="on" value="1">Hide</button></div>
            <a href={`/submit?crosspost=${post.id}`}>Crosspost</a><a href={`/report?target=${post.id}`}>Report</a>
          </div></details>
        </div>
      </article>
      <section class="thread" id="comments" aria-labelledby="comments-title">
        <div class="tbar">
          <h2 id="comments-title">{fully(post.comments)} comments</h2>
          <details class="menu dots sorts"><summary><span class="vh">Order: </span>Best</summary>
            <nav aria-label="Order of comments">{ORDERS.map(([sort, text]) => <a href={sort ? `${here}?sort=${sort}` : here} aria-current={sort ? undefined : "page"}>{text}</a>)}</nav>
          </details>
        </div>
        <form class="reply" method="post" action="/comment" hx-post="/comment" hx-target="#thread" hx-swap="afterbegin">
          <input type="hidden" name="post" value={post.id} />
          <label class="vh" for={`body-${post.id}`}>Comment</label>
          <textarea id={`body-${post.id}`} name="body" rows="4" required placeholder="Comment…"></textarea>
          <div class="row"><button class="button">Comment</button><span class="muted">Markdown works</span></div>
        </form>
        <div id="thread">{(replies.get("0") ?? []).map((comment) => <Comment here={here} comment={comment} replies={replies} now={now} />)}</div>
      </section>
    </Layout>
  );
};

const Comment = ({ here, comment, replies, now }) => {
  const { id } = comment;
  const score = Number(comment.ups) - Number(comment.downs);
  const below = replies.get(id) ?? [];
  return (
    <article class="comment" id={`c-${id}`}>
      <div class="by"><a href={`/u/${comment.author_name}`}>{comment.author_name}</a><a href={`${here}/${id}`}><Time ms={Number(comment.created_at)} now={now} /></a></div>
      <details open={score > -5}>
        <summary>{fully(score)} points{comment.descendants === "0" ? "" : ` · ${comment.descendants} replies`}</summary>
        <div class="said-body md">{raw(comment.body_html)}</div>
        <div class="acts">
          <Votes id={id} score={score} value={comment.value} />
          <a class="re" href={`/reply?to=${id}`}>Reply</a>
          <details class="menu dots"><summary aria-label="More">⋯</summary><div class="keep">
            <button form="do" formaction={`/save?target=${id}`} name="on" value={comment.saved === "1" ? "0" : "1"}>{comment.saved === "1" ? "Unsave" : "Save"}</button>
            <a href={`/report?target=${id}`}>Report</a><a href={`/block?user=${comment.author_name}`}>Block</a>
          </div></details>
        </div>
        {below.map((reply) => <Comment here={here} comment={reply} replies={replies} now={now} />)}
        {Number(comment.descendants) > 0 && below.length === 0 && <a class="more" href={`${here}/${id}`}>Show {comment.descendants} more comments</a>}
      </details>
    </article>
  );
};
