// Made from worker/routes.go and worker/headers.go by `PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable`; don't edit.

/** SHAPES are regular expressions of whole values, by parameter. */
export const SHAPES = {
  after: "[0-9a-z]{13}|[0-9a-z]{27}|[0-9]{1,19}",
  flair: "[0-9a-z]{13}|[0-9]{1,19}",
  left: "[0-9]{1,9}",
  post: "[0-9a-z]{13}|[0-9]{1,19}",
  sort: "best|top|new|old|controversial|qa|growth",
  t: "hour|day|week|month|year|all",
  url: "[^]{1,2048}",
};

/** HEADERS are on every answer. */
export const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "strict-transport-security": "max-age=31536000",
};

/** ADDRESSES are the patterns of cached pages, each with its parameters in their order. */
export const ADDRESSES = {
  "/{$}": "after",
  "/hot": "after",
  "/new": "after",
  "/top": "t after",
  "/rising": "after",
  "/controversial": "t after",
  "/comments": "t after",
  "/communities": "sort after",
  "/c/{community}": "flair after",
  "/c/{community}/hot": "flair after",
  "/c/{community}/new": "flair after",
  "/c/{community}/top": "t flair after",
  "/c/{community}/rising": "after",
  "/c/{community}/controversial": "t after",
  "/c/{community}/comments": "t after",
  "/c/{community}/moderators": "",
  "/c/{community}/log": "after",
  "/c/{community}/log/numbers": "month",
  "/log/numbers": "month",
  "/log": "after",
  "/c/{community}/p/{slug}": "sort after left",
  "/c/{community}/p/{slug}/{comment}": "sort after left",
  "/discussions": "url post after",
  "/u/{user}": "sort after",
  "/u/{user}/comments": "sort after",
  "/u/{user}/followers": "after",
  "/u/{user}/following": "after",
  "/about": "",
  "/rules": "",
  "/privacy": "",
  "/terms": "",
  "/img/logo/{sum}": "",
  "/img/{post}": "",
  "/.well-known/security.txt": "",
  "/robots.txt": "",
};

/** FORMATS are the endings of addresses of cached pages in other formats. */
export const FORMATS = {
  "/{$}": ".json",
  "/hot": ".json",
  "/new": ".json",
  "/top": ".json",
  "/rising": ".json",
  "/controversial": ".json",
  "/comments": ".json",
  "/communities": ".json",
  "/c/{community}": ".json",
  "/c/{community}/hot": ".json",
  "/c/{community}/new": ".json",
  "/c/{community}/top": ".json",
  "/c/{community}/rising": ".json",
  "/c/{community}/controversial": ".json",
  "/c/{community}/comments": ".json",
  "/c/{community}/p/{slug}": ".json",
  "/c/{community}/p/{slug}/{comment}": ".json",
  "/discussions": ".json",
  "/u/{user}": ".json",
  "/u/{user}/comments": ".json",
  "/u/{user}/followers": ".json",
  "/u/{user}/following": ".json",
};
