// The frame of every page, as Plaza's is for a member.

import { raw } from "hono/html";

const mark = raw(`<svg class="tile" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path class="t1" d="M2 0h10v12H0V2a2 2 0 0 1 2-2z"></path><path class="t2" d="M12 0h10a2 2 0 0 1 2 2v10A12 12 0 0 1 12 0z"></path><path class="t2" d="M0 12a12 12 0 0 1 12 12H2a2 2 0 0 1-2-2z"></path><path class="t3" d="M12 12h12v10a2 2 0 0 1-2 2H12z"></path></svg>`);
const lens = raw(`<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M16 16l5 5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z"></path></svg>`);
const bell = raw(`<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a6 6 0 0 0-6 6c0 5-2 6.5-2 8h16c0-1.5-2-3-2-8a6 6 0 0 0-6-6zM10 20a2 2 0 0 0 4 0"></path></svg>`);
const FOOT = [["/about", "About"], ["/rules", "Rules"], ["/privacy", "Privacy"], ["/terms", "Terms"], ["/notice", "Report illegal content"],
  ["/contact", "Contact"], ["/transparency", "Transparency"], ["/tags", "Tags"], ["/api", "API"]];

export const Layout = ({ title, session, viewer, children, aside }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title} · Plaza</title>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#fffdf9" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#1b1c1a" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="preload" href="/_/serif.woff2" as="font" type="font/woff2" crossorigin="" />
      <link rel="stylesheet" href="/_/app.css" />
      <script src="/_/app-en.js"></script>
      <script src="/_/htmx.js" defer></script>
    </head>
    <body>
      <a class="skip" href="#main">Skip to content</a>
      <header class="top"><div class="bar own">
        <a class="logo" href="/">{mark}<span>Plaza</span></a>
        <nav aria-label="Site"><a href="/communities"><span>Communities</span></a></nav>
        <div class="account">
          <form class="find" action="/search"><input type="search" name="q" placeholder="Search" aria-label="Search" maxlength="200" /></form>
          <a class="icon seek" href="/search" title="Search" aria-label="Search">{lens}</a>
          <a class="button write" href="/submit"><span>Post</span></a>
          <a class="icon inbox" href="/inbox" title="Inbox">{bell}<span class="vh">Inbox {viewer.unread === "0" ? "" : viewer.unread}</span></a>
          <details class="menu">
            <summary class="icon"><Letter name={session.name} colour="#7a5900" /><span class="vh">{session.name}</span></summary>
            <div>
              <a href={`/u/${session.name}`}>Your profile</a><a href="/messages">Messages</a><a href="/drafts">Drafts</a><a href="/saved">Saved</a>
              <a href="/settings">Settings</a><a class="places" href="/communities">Communities</a>
              <form method="post" action="/logout"><button>Log out</button></form>
            </div>
          </details>
        </div>
      </div></header>
      <div class="wrap"><main id="main" tabindex="-1" hx-swap="outerHTML">{children}</main>{aside}</div>
      <footer class="foot"><p>{FOOT.map(([href, text]) => <a href={href}>{text}</a>)}<button id="keys" type="button">Keys</button></p></footer>
      <form id="do" method="post" action="/vote" hidden></form>
      <div id="toast" role="status" aria-live="polite" aria-atomic="false"></div>
    </body>
  </html>
);

export const Letter = ({ name, colour }) => <svg class="ci" aria-hidden="true"><rect fill={colour}></rect><text>{name[0].toUpperCase()}</text></svg>;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const UNITS = [["y", 31_536_000], ["mo", 2_592_000], ["d", 86_400], ["h", 3600], ["m", 60]];
const two = (n) => String(n).padStart(2, "0");

/** Time shows how long ago something was, with the date to hover over. */
export const Time = ({ ms, now }) => {
  const at = new Date(ms);
  const seconds = Math.max(0, (now - ms) / 1000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ["s", 1];
  const title = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
  return <time datetime={`${at.toISOString().slice(0, 19)}Z`} title={title}>{Math.floor(seconds / length)}{unit}</time>;
};

/** shortly writes a number as lists do, such as 2.1k, and fully as 2,172. */
export const shortly = (n) => (n < 1000 ? String(n) : `${(Math.floor(n / 100) / 10).toFixed(1)}k`);
export const fully = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

export const Votes = ({ id, label, score, value }) => (
  <div class="votes">
    <button form="do" formaction={`/vote?target=${id}`} class="up" name="value" value={value === "1" ? "0" : "1"} aria-pressed={value === "1" ? "true" : "false"} aria-describedby={label}>Upvote</button>
    <span class="score" title={`${fully(score)} points`}>{shortly(score)}</span>
    <button form="do" formaction={`/vote?target=${id}`} class="down" name="value" value={value === "-1" ? "0" : "-1"} aria-pressed={value === "-1" ? "true" : "false"} aria-describedby={label}>Downvote</button>
  </div>
);

export const About = ({ community, moderators }) => (
  <aside id="about" tabindex="-1" aria-label={`About c/${community.name}`}><div class="cards">
    <section class="card">
      <h2>About c/{community.name}</h2>
      <p>{community.description}</p>
      {community.sidebar_html && <div class="md">{raw(community.sidebar_html)}</div>}
      <dl class="facts">
        <div><dt>Members</dt><dd>{fully(community.members)} <span class="grown">+{community.growth} this week</span></dd></div>
        <div><dt>Posts</dt><dd>{fully(community.posts ?? 0)} <span class="grown">+{community.week_posts ?? 0} this week</span></dd></div>
      </dl>
      <p><a href={`/c/${community.name}/log`}>Moderation log</a></p>
    </section>
    <section class="card">
      <h2>Moderators</h2>
      {moderators.length === 0 ? <p>Nobody yet.</p> : <ul>{moderators.map(({ username }) => <li><a href={`/u/${username}`}>{username}</a></li>)}</ul>}
      <p><a href={`/c/${community.name}/moderators`}>All moderators</a></p>
    </section>
  </div></aside>
);
