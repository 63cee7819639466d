// Offers the last messages that a moderator wrote to members. They stand below the reply form, before the replies that the site offers.
import { recall, remember } from "./memory.js";

const REPLIES = 4; // how many are remembered
const LONGEST = 500; // characters
const replies = () => { try { return JSON.parse(recall("mail-replies")) ?? []; } catch { return []; } };

export const startSavedReplies = () => {
  const list = document.querySelector("#mail .saved-replies ul");
  if (!list) return;
  const offered = [...list.querySelectorAll("button")].map(({ value }) => value);
  for (const text of replies().reverse()) {
    if (offered.includes(text)) continue;
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("button"), { name: "reply", value: text, textContent: text }));
    list.prepend(item);
  }
  list.closest("form").addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const text = form.elements.text.value.trim();
    if (submitter?.name === "reply" && text) { // it goes behind what is written already
      event.preventDefault();
      form.elements.text.value = text + "\n\n" + submitter.value;
      form.elements.text.focus();
      return;
    }
    if (submitter?.name || !text || text.length > LONGEST || offered.includes(text)) return; // a note, or one of these
    remember("mail-replies", JSON.stringify([text, ...replies().filter((it) => it !== text)].slice(0, REPLIES)));
  });
};
