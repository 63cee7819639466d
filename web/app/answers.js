// Offers the messages that a moderator wrote to members last, below the form of an answer and before the answers that the site offers.
import { recall, remember } from "./memory.js";

const ANSWERS = 4; // how many are remembered
const LONGEST = 500; // characters
const answers = () => { try { return JSON.parse(recall("mail-answers")) ?? []; } catch { return []; } };

export const startAnswers = () => {
  const list = document.querySelector("#mail .answers ul");
  if (!list) return;
  const offered = [...list.querySelectorAll("button")].map(({ value }) => value);
  for (const text of answers().reverse()) {
    if (offered.includes(text)) continue;
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("button"), { name: "answer", value: text, textContent: text }));
    list.prepend(item);
  }
  list.closest("form").addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const text = form.elements.text.value.trim();
    if (submitter?.name === "answer" && text) { // it goes behind what is written already
      event.preventDefault();
      form.elements.text.value = text + "\n\n" + submitter.value;
      form.elements.text.focus();
      return;
    }
    if (submitter?.name || !text || text.length > LONGEST || offered.includes(text)) return; // a note, or one of these
    remember("mail-answers", JSON.stringify([text, ...answers().filter((it) => it !== text)].slice(0, ANSWERS)));
  });
};
