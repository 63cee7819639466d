// The row that stands for 10 seconds in the place of what is gone, such as a post that was hidden.
import { offerUndo } from "./toast.js";

/**
 * collapse puts a row of one line before an element, and hides what is to be hidden. The line says text and offers Undo, which calls back.
 * When the time is over, done is called. stays tells that the line goes on saying so. byKeys gives the focus to Undo. The result can end
 * the time, and show again what was hidden.
 */
export const collapse = ({ before, hide, text, back, done, wait, stays, byKeys }) => {
  const row = document.createElement(before.matches("li") ? "li" : "p");
  row.className = "was";
  for (const el of hide) el.hidden = true;
  before.before(row);
  const show = () => {
    row.remove();
    for (const el of hide) el.hidden = false;
  };
  const end = offerUndo({
    text, row, wait,
    back: () => {
      const again = hide.find((el) => el.isConnected) || before;
      show();
      again.querySelector("a, button, summary")?.focus({ preventScroll: true });
      back();
    },
    done: () => {
      if (stays) row.textContent = text; else row.remove();
      done?.();
    },
  });
  if (byKeys) row.querySelector("button").focus({ preventScroll: true });
  return { end, show, row };
};
