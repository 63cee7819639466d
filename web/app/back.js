// Who comes back to a page finds it as they left it: they read on at the post that they opened, and replies that they loaded are there.
// What was opened is noted in the entry of the browser's history. Pages that the browser has kept whole need none of this.
import { goTo } from "./keys.js";

const noted = () => history.state?.plaza || {};
const note = (more) => history.replaceState({ ...history.state, plaza: { ...noted(), ...more } }, "");
const opened = (stub) => stub.pathname + stub.search;

// The first thing in view, and where it is.
const place = () => {
  const el = [...document.querySelectorAll(".comment[id]")].find((comment) => comment.getBoundingClientRect().top >= 0);
  return el && scrollY > 0 ? { id: el.id, top: el.getBoundingClientRect().top } : null;
};
// Stubs come in the order in which they were opened, because one may be in what another has loaded.
const reopen = async ({ stubs, at }) => {
  for (const address of stubs) {
    const stub = [...document.querySelectorAll(".more:not(.away)")].find((link) => opened(link) === address);
    if (!stub) continue;
    await htmx.ajax("GET", address + (address.includes("?") ? "&" : "?") + "fragment=1", { source: stub, target: stub, swap: "outerHTML" });
  }
  // Until the next frame a comment that was out of sight has the height that it had (content-visibility), and the page may end too early.
  await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
  const el = at && document.getElementById(at.id);
  if (el) scrollBy({ top: el.getBoundingClientRect().top - at.top, behavior: "instant" });
};

export const startBack = () => {
  const { post, stubs, at } = noted();
  if (post) goTo(document.getElementById(post));
  if (stubs && window.htmx) reopen({ stubs, at }).catch(() => { /* they are stubs again */ });

  for (const name of ["click", "auxclick"]) {
    document.addEventListener(name, (event) => {
      const item = event.target.closest(".post a[href]")?.closest(".post[id]");
      if (item && event.button < 2) note({ post: item.id });
    });
  }
  document.body.addEventListener("htmx:afterSwap", ({ detail: { requestConfig } }) => {
    const stub = requestConfig?.elt;
    const address = stub?.matches?.(".more") && opened(stub);
    if (address && !noted().stubs?.includes(address)) note({ stubs: [...noted().stubs || [], address].slice(-30) });
  });
  document.addEventListener("scrollend", () => { if (noted().stubs) note({ at: place() }); });
};
