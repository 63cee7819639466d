// The rule for which somebody removed last is the first that a touch screen offers, and what they wrote to authors is offered again. With
// keys the rules keep their numbers.
import { recall, remember } from "./memory.js";

const MESSAGES = 5; // are remembered
const panel = (el) => el.closest("#queue .pick");
// Buttons of one case have its id before the rule.
const ruleOf = ({ name, value }) => value.split(" ").slice(name === "one" ? 2 : 1).join(" ");
const messages = () => { try { return JSON.parse(recall("removal-messages")) ?? []; } catch { return []; } };

const list = () => {
  const el = document.getElementById("removal-messages") ?? document.body.appendChild(document.createElement("datalist"));
  el.id = "removal-messages";
  el.replaceChildren(...messages().map((text) => new Option(text, text)));
};

export const startReasons = () => {
  if (!document.getElementById("queue")) return;
  list();
  document.addEventListener("toggle", ({ target: pick }) => {
    const rules = pick.open && panel(pick)?.querySelector("ol");
    if (!rules) return;
    pick.querySelector("input[type=text]")?.setAttribute("list", "removal-messages");
    const last = [...rules.children].find((item) => ruleOf(item.querySelector("button")) === recall("removal-rule"));
    if (last && matchMedia("(pointer: coarse)").matches) rules.prepend(last);
  }, true);
  document.addEventListener("submit", ({ submitter }) => {
    if (!/^remove /.test(submitter?.value) || !panel(submitter)) return;
    remember("removal-rule", ruleOf(submitter));
    const text = panel(submitter).querySelector("input[type=text]")?.value.trim();
    if (!text) return;
    remember("removal-messages", JSON.stringify([text, ...messages().filter((it) => it !== text)].slice(0, MESSAGES)));
    list();
  }, true);
};
