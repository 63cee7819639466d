// Small things about numbers and tables that several parts of the report need.

/** median is the middle of a list of numbers, NaN for an empty one. */
export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;

/** written writes a number with so many places behind the point, and with commas; "–" for none. */
export const written = (n, places = 0) => (Number.isFinite(n) ? n.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places }) : "–");

/** significant writes a number with about two digits that count: 0.0042, 3.1, 120. */
export function significant(n) {
  if (!Number.isFinite(n)) return "–";
  if (n === 0) return "0";
  return written(n, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(n)))));
}

/** table makes a table of Markdown. The first columns are texts, the others numbers. */
export const table = (head, rows, texts = 1) => [head, head.map((_, i) => (i < texts ? "---" : "---:")), ...rows]
  .map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** rounded returns a value with its numbers cut to four digits that count: nobody compares more, and files of it stay readable. */
export function rounded(value) {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}
