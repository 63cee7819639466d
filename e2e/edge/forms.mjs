// Forms with pictures for tests of the edge.

import assert from "node:assert/strict";
import { MEMBER } from "./harness.mjs";

/** FORM may have pictures, as the routes table says. Here it keeps them and says what it saw. */
export const FORM = "/submit";
export const JSON_MEMBER = { ...MEMBER, accept: "application/json" };
/** form makes one of [name, text] and [name, bytes, name of the file]. */
export function form(...entries) {
  const it = new FormData();
  for (const [name, value, file] of entries) {
    if (typeof value === "string") it.append(name, value);
    else it.append(name, new Blob([value]), file);
  }
  return it;
}

/** formsOf returns what sends forms to the edge that the function returns, and what lists the pictures that it has. */
export const formsOf = (edge) => {
  const send = (body, headers = JSON_MEMBER, path = FORM, more = {}) => edge().get(path, headers, { method: "POST", body, ...more });
  return {
    send,
    sent: async (...entries) => (await send(form(...entries))).json(),
    listed: async () => {
      const sums = [];
      for (;;) {
        const { list, error, bound } = await edge().json(`/__test/list?after=${sums.at(-1) ?? ""}`);
        assert.deepEqual([error, bound], ["<nil>", true]);
        if (!list?.length) return sums;
        sums.push(...list.map(({ Sum }) => Sum));
      }
    },
  };
};
