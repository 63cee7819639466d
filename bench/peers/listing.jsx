// A member's page of a community in the order hot.

import { About, Layout, Letter, Time, Votes, fully } from "./layout.jsx";

const ORDERS = [["", "Hot"], ["new", "New"], ["active", "Active"], ["top", "Top"], ["rising", "Rising"], ["controversial", "Controversial"],
  ["comments", "Most commented"], ["views", "Most viewed"]];
const DISPLAY = [["Density", "density", [["", "Standard"], ["compact", "Compact"], ["cards", "Cards"]]],
  ["Theme", "theme", [["", "Auto"], ["light", "Light"], ["dark", "Dark"]]], ["Language", "language", [["en", "English"], ["de", "Deutsch"]]]];

export const Listing = ({ session, page, now }) => {
  const { community, viewer, posts, own } = page;
  const here = `/c/${community.name}`;
  const joined = community.joined === "1";
  const byId = new Map(posts.map((post) => [post.id, post]));
  return (
    <Layout title={community.title} session={session} viewer={viewer} aside={<About community={community} moderators={page.moderators} />}>
      <div class="head">
        <Letter name={community.name} colour={community.colour} />
        <div>
          <h1>{community.title}</h1>
          <p class="muted">c/{community.name} · <span>{fully(community.members)} members</span> · <span>{fully(community.posts ?? 0)} posts</span> <a class="aside-link" href="#about">About</a></p>
        </div>
        <div class="do">
          <form class="toggle" method="post" action="/subscribe" hx-post="/subscribe" hx-target="this">
            <input type="hidden" name="community" value={community.name} />
            <input type="hidden" name="on" value={joined ? "0" : "1"} />
            <input type="hidden" name="return" value={here} />
            <button class="button">{joined ? "Joined" : "Join"}<span class="vh"> c/{community.name}</span></button>
          </form>
          <a class="button" href={`${here}/submit`}>Post</a>
        </div>
      </div>
      <div class="order">
        <details class="menu sort">
          <summary><span><span class="vh">Order: </span>Hot</span></summary>
          <div><nav aria-label="Order">{ORDERS.map(([path, text]) => <a href={path ? `${here}/${path}` : here} aria-current={path ? undefined : "page"}>{text}</a>)}</nav></div>
        </details>
        <details class="menu look">
          <summary><span aria-hidden="true">Aa</span><span class="vh">Display</span></summary>
          <div><form class="display" method="post" action="/display">
            {DISPLAY.map(([legend, name, choices]) => (
              <fieldset><legend>{legend}</legend>{choices.map(([value, text], i) => <button name={name} value={value} aria-pressed={i === 0 ? "true" : "false"}>{text}</button>)}</fieldset>
            ))}
          </form></div>
        </details>
      </div>
      <div class="posts">{page.ids.slice(0, 25).filter((id) => byId.has(id)).map((id) => <Post here={here} post={byId.get(id)} own={own.get(id)} now={now} />)}</div>
      <form class="acts" method="post" action="/seen"><input type="hidden" name="return" value={here} /><button class="button quiet" name="hide" value="1">Hide what you have seen</button></form>
      {page.ids.length > 25 && <nav class="pager" aria-label="Pages"><a class="button" rel="next" href={`${here}/hot?after=${page.ids[24]}`}>Next page</a></nav>}
    </Layout>
  );
};

const Post = ({ here, post, own, now }) => {
  const { id } = post;
  const label = `t-${id}`;
  const href = `${here}/p/${post.slug}`;
  return (
    <article class="post" id={`p-${id}`} aria-labelledby={label}>
      <div>
        <h2 id={label}><a href={href} title={post.title}>{post.title}</a></h2>
        <p class="by">
          <Time ms={Number(post.created_at)} now={now} />
          {post.domain && <a href={`/domain/${post.domain}`}>{post.domain}</a>}
          <a class="cc" href={href}>{post.comments} comments</a>
        </p>
        <details class="menu opts">
          <summary aria-label="More"></summary>
          <div>
            <div class="keep">
              <button form="do" formaction={`/save?target=${id}`} name="on" value={own.saved === "1" ? "0" : "1"}>{own.saved === "1" ? "Unsave" : "Save"}</button>
              <button form="do" formaction={`/hide?target=${id}`} name="on" value="1">Hide</button>
            </div>
            <a href={`/submit?crosspost=${id}`}>Crosspost</a><a href={`/report?target=${id}`}>Report</a>
          </div>
        </details>
      </div>
      <Votes id={id} label={label} score={Number(post.ups) - Number(post.downs)} value={own.value} />
    </article>
  );
};
