// To which countries and regions the site is closed, and where a request comes from. Go decides (worker/request/place.go). Here it is only
// known which requests must not be answered without Go: those from a place on Go's list. The list comes with each answer of Go, and stays
// with the copies in the cache.

/** CLOSED is the header with the list, such as "CN US-MS", "-" for an empty one. No client sees it. */
export const CLOSED = "x-plaza-closed";

const FRESH = 60_000; // ms for which a list that was heard is taken to be the one that holds
const RETRY = 5_000; // ms after which Go is asked again, where it has not said anything yet
const WAIT = 3_000, STEP = 20; // ms: how long what comes meanwhile waits for the first answer, and how often it looks
let heard = null; // the list that this isolate has heard last
let heardAt = -Infinity;
let askedAt = -Infinity;
let asking = false;

/** placeOf is where a request comes from: a country such as FR, or a region such as US-MS; "" if the platform doesn't say it. */
export function placeOf({ cf }) {
  const country = cf?.country ?? "";
  if (!/^[A-Z][A-Z0-9]$/.test(country)) return "";
  const region = cf.regionCode ?? "";
  return /^[A-Z0-9]{1,3}$/.test(region) ? `${country}-${region}` : country;
}

/** isClosed tells whether a list has a place or its country. */
export function isClosed(list, place) {
  if (!place || !list) return false;
  const codes = list.split(" ");
  return codes.includes(place) || codes.includes(place.split("-")[0]);
}

/** hear notes the list of an answer of Go. */
export function hear(headers) {
  const list = headers.get(CLOSED);
  if (list !== null) note(list);
}

function note(list) {
  heard = list;
  heardAt = Date.now();
}

/** isClosedTo tells whether the site is closed where a request comes from, as far as this isolate has heard. */
export const isClosedTo = (request) => isClosed(heard, placeOf(request));

/**
 * isClosedHere is isClosedTo for what is answered without Go: if this isolate has heard nothing of late, it asks Go first. Where it has no
 * answer, it goes by what it heard before. Requests that come meanwhile don't ask again. Those of an isolate that knows nothing yet wait for
 * the answer, for a bounded time. They look whether it is there, each by timers of its own: a request must not wait for a promise of another.
 * A cancelled request never resets `asking`. So RETRY and WAIT both count from askedAt.
 */
export async function isClosedHere(request, askGo) {
  if (placeOf(request) === "") return false;
  const now = Date.now();
  if (now - heardAt > FRESH && now - askedAt > (heard === null ? RETRY : FRESH)) {
    askedAt = now;
    asking = true;
    try {
      await askGo();
    } catch (error) {
      console.error(`plaza: where the site is closed is not known: ${error?.stack || error}`);
    }
    asking = false;
  }
  while (heard === null && asking && Date.now() - askedAt < WAIT) await new Promise((look) => setTimeout(look, STEP));
  return isClosedTo(request);
}
