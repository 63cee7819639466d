// Made from routes.go, request/query.go and request/headers.go by `PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable`; don't edit.

/** SHAPES are regular expressions of whole values, by parameter. */
export const SHAPES = {
  after: "[0-9a-z]{13}|[A-Za-z][0-9a-z]{26}|[0-9]{1,19}",
  author: "[^]{1,40}",
  but: "[0-9a-z]{13}|[0-9]{1,19}",
  community: "[^]{1,40}",
  domain: "[^]{1,253}",
  flair: "[0-9a-z]{13}|[0-9]{1,19}",
  format: "json|xml",
  half: "[0-9]{4}-[12]",
  kind: "text|link|image",
  left: "[0-9]{1,9}",
  maxheight: "[0-9]{1,5}",
  maxwidth: "[0-9]{1,5}",
  month: "[0-9]{4}-[0-9]{2}",
  post: "[0-9a-z]{13}|[0-9]{1,19}",
  q: "[^]{1,200}",
  read: "[0-9a-z]{13}|[0-9]{1,19}",
  sort: "best|top|new|old|controversial|qa|members|growth|views|relevance",
  t: "hour|day|week|month|year|all",
  tag: "[^]{1,120}",
  type: "posts|comments|communities|people",
  url: "[^]{1,2048}",
};

/** HEADERS are on every answer. */
export const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "strict-transport-security": "max-age=31536000",
};

/** ADDRESSES are the patterns of cached pages, each with its parameters in their order. */
export const ADDRESSES = {
  "/{$}": "after",
  "/hot": "after",
  "/new": "after",
  "/active": "after",
  "/top": "t after",
  "/rising": "after",
  "/controversial": "t after",
  "/comments": "t after",
  "/views": "t after",
  "/edition": "",
  "/edition/{day}/{half}": "",
  "/communities": "sort after",
  "/search": "q type sort t community author kind tag domain after",
  "/search/suggest": "q",
  "/c/{community}": "flair after",
  "/c/{community}/hot": "flair after",
  "/c/{community}/new": "flair after",
  "/c/{community}/active": "after",
  "/c/{community}/top": "t flair after",
  "/c/{community}/rising": "after",
  "/c/{community}/controversial": "t after",
  "/c/{community}/comments": "t after",
  "/c/{community}/views": "t after",
  "/tags": "q",
  "/tags/suggest": "q",
  "/tag/{tags}": "after",
  "/tag/{tags}/hot": "after",
  "/tag/{tags}/new": "after",
  "/tag/{tags}/active": "after",
  "/tag/{tags}/top": "t after",
  "/tag/{tags}/rising": "after",
  "/tag/{tags}/controversial": "t after",
  "/tag/{tags}/comments": "t after",
  "/tag/{tags}/views": "t after",
  "/c/{community}/moderators": "",
  "/c/{community}/pages": "",
  "/c/{community}/pages/{page}": "",
  "/c/{community}/pages/{page}/history": "",
  "/c/{community}/pages/{page}/history/{revision}": "",
  "/c/{community}/log": "after",
  "/c/{community}/log/numbers": "month",
  "/log/numbers": "month",
  "/log": "after",
  "/c/{community}/p/{slug}": "sort after left",
  "/c/{community}/p/{slug}/{comment}": "sort after left",
  "/discussions": "url post but after",
  "/u/{user}": "sort after",
  "/u/{user}/comments": "sort after",
  "/u/{user}/followers": "after",
  "/u/{user}/following": "after",
  "/about": "",
  "/rules": "",
  "/privacy": "",
  "/terms": "",
  "/transparency": "half",
  "/transparency.csv": "half",
  "/api": "",
  "/offline": "",
  "/img/logo/{sum}": "",
  "/img/card/{post}": "",
  "/img/card/c/{community}": "",
  "/img/mosaic/{version}/{colour}/{community}": "",
  "/oembed": "url format maxwidth maxheight",
  "/img/{post}": "",
  "/img/small/{post}": "",
  "/.well-known/security.txt": "",
  "/manifest.webmanifest": "",
  "/robots.txt": "",
  "/sitemap.xml": "",
  "/sitemap/{part}": "",
};

/** FORMATS are the endings of addresses of cached pages in other formats. */
export const FORMATS = {
  "/{$}": ".json .atom",
  "/hot": ".json .atom",
  "/new": ".json .atom",
  "/active": ".json .atom",
  "/top": ".json .atom",
  "/rising": ".json .atom",
  "/controversial": ".json .atom",
  "/comments": ".json .atom",
  "/views": ".json .atom",
  "/edition": ".json .atom",
  "/edition/{day}/{half}": ".json",
  "/communities": ".json",
  "/search": ".json",
  "/c/{community}": ".json .atom",
  "/c/{community}/hot": ".json .atom",
  "/c/{community}/new": ".json .atom",
  "/c/{community}/active": ".json .atom",
  "/c/{community}/top": ".json .atom",
  "/c/{community}/rising": ".json .atom",
  "/c/{community}/controversial": ".json .atom",
  "/c/{community}/comments": ".json .atom",
  "/c/{community}/views": ".json .atom",
  "/tags": ".json",
  "/tag/{tags}": ".json .atom",
  "/tag/{tags}/hot": ".json .atom",
  "/tag/{tags}/new": ".json .atom",
  "/tag/{tags}/active": ".json .atom",
  "/tag/{tags}/top": ".json .atom",
  "/tag/{tags}/rising": ".json .atom",
  "/tag/{tags}/controversial": ".json .atom",
  "/tag/{tags}/comments": ".json .atom",
  "/tag/{tags}/views": ".json .atom",
  "/c/{community}/moderators": ".json",
  "/c/{community}/pages": ".json",
  "/c/{community}/pages/{page}": ".json",
  "/c/{community}/log": ".json",
  "/c/{community}/log/numbers": ".json",
  "/log/numbers": ".json",
  "/log": ".json",
  "/c/{community}/p/{slug}": ".json .atom",
  "/c/{community}/p/{slug}/{comment}": ".json .atom",
  "/discussions": ".json",
  "/u/{user}": ".json .atom",
  "/u/{user}/comments": ".json .atom",
  "/u/{user}/followers": ".json",
  "/u/{user}/following": ".json",
  "/about": ".json",
  "/rules": ".json",
  "/privacy": ".json",
  "/terms": ".json",
  "/transparency": ".json",
  "/api": ".json",
};

/** PICTURES are the patterns of addresses whose forms may have pictures. */
export const PICTURES = [
  "/c/{community}/settings",
  "/submit",
  "/pictures",
  "/c/{community}/submit",
  "/comment",
  "/preview",
  "/draft",
  "/publish",
  "/drafts",
  "/settings",
];

/** LANGUAGES are the tags of the languages of the interface. The first is for those who ask for none of them. */
export const LANGUAGES = ["en", "de"];

/** WORDS are the texts of the edge itself in the other languages. */
export const WORDS = {
  "de": {
    "That did not arrive whole":
      "Das ist nicht vollständig angekommen",
    "What you sent did not arrive as it was sent. Please go back and send it again.":
      "Was du gesendet hast, ist nicht so angekommen, wie es gesendet wurde. Bitte geh zurück und sende es noch einmal.",
    "There is no picture here":
      "Hier ist kein Bild",
    "It may have been deleted, or its address is incomplete.":
      "Vielleicht wurde es gelöscht, oder seine Adresse ist unvollständig.",
    "That took too long":
      "Das hat zu lange gedauert",
    "What you sent did not arrive in time. Please go back and send it again.":
      "Was du gesendet hast, ist nicht rechtzeitig angekommen. Bitte geh zurück und sende es noch einmal.",
    "That is too much":
      "Das ist zu viel",
    "What you sent is larger than this site takes. Please shorten it and send it again.":
      "Was du gesendet hast, ist größer, als diese Website annimmt. Bitte kürze es und sende es noch einmal.",
    "Too many requests":
      "Zu viele Anfragen",
    "Too many of the pictures that you asked for are not there. Please try again in a minute.":
      "Zu viele der Bilder, nach denen du gefragt hast, gibt es nicht. Bitte versuch es in einer Minute noch einmal.",
    "Something went wrong":
      "Etwas ist schiefgegangen",
    "The page could not be made. It is our fault, and it has been noted. Trying again often helps.":
      "Die Seite konnte nicht erstellt werden. Das liegt an uns und ist vermerkt. Ein neuer Versuch hilft oft.",
    "This takes too long":
      "Das dauert zu lange",
    "The page could not be made in time. Please try again in a moment.":
      "Die Seite wurde nicht rechtzeitig fertig. Bitte versuch es gleich noch einmal.",
    "A form takes at most 10 pictures, of 4 MB each and 12 MB together. Please go back and leave some out, or make them smaller.":
      "Ein Formular nimmt höchstens 10 Bilder, je 4 MB und zusammen 12 MB. Bitte geh zurück und lass einige weg oder verkleinere sie.",
    "Try again":
      "Noch einmal versuchen",
    "Front page":
      "Startseite",
    "Your own page cannot be made right now, so this is the one that visitors see. Voting, writing and what is yours come back in a moment.":
      "Deine eigene Seite kann gerade nicht erstellt werden. Darum siehst du die Seite für Gäste. Abstimmen, Schreiben und alles, was dir gehört, sind gleich wieder da.",
    "Your own page cannot be made right now, so this is the one that visitors see, as it was 1 minute ago. Voting, writing and what is yours come back in a moment.":
      "Deine eigene Seite kann gerade nicht erstellt werden. Darum siehst du die Seite für Gäste, wie sie vor einer Minute war. Abstimmen, Schreiben und alles, was dir gehört, sind gleich wieder da.",
    "Your own page cannot be made right now, so this is the one that visitors see, as it was {} minutes ago. Voting, writing and what is yours come back in a moment.":
      "Deine eigene Seite kann gerade nicht erstellt werden. Darum siehst du die Seite für Gäste, wie sie vor {} Minuten war. Abstimmen, Schreiben und alles, was dir gehört, sind gleich wieder da.",
  },
};
