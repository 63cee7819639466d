// To which countries and regions the site is closed, and where a request comes from. Go decides (worker/request/place.go). Here it is only
// known which requests must not be served without Go: those from a place on Go's list. The list is in each response of Go, and stays
// with the copies in the cache.

/** CLOSED is the header with the list, such as "CN US-MS", "-" for an empty one. No client sees it. */
export const CLOSED = "x-plaza-closed";

const FRESH = 60_000; // ms for which the last list counts as current
const RETRY = 5_000; // ms after which Go is asked again, if it has sent no list yet
const WAIT = 3_000, STEP = 20; // ms: how long other requests wait for the first list, and how often they check
let heard = null; // the last list that this isolate has got
let heardAt = -Infinity;
let askedAt = -Infinity;
let asking = false;

/** placeOf returns where a request comes from: a country such as FR, or a region such as US-MS; "" if the platform doesn't say it. */
export function placeOf({ cf }) {
  const country = cf?.country ?? "";
  if (!/^[A-Z][A-Z0-9]$/.test(country)) return "";
  const region = cf.regionCode ?? "";
  return /^[A-Z0-9]{1,3}$/.test(region) ? `${country}-${region}` : country;
}

/** isClosed reports whether a list has a place or its country. */
export function isClosed(list, place) {
  if (!place || !list) return false;
  const codes = list.split(" ");
  return codes.includes(place) || codes.includes(place.split("-")[0]);
}

/** hear stores the list of a response of Go. */
export function hear(headers) {
  const list = headers.get(CLOSED);
  if (list !== null) note(list);
}

function note(list) {
  heard = list;
  heardAt = Date.now();
}

/** isClosedTo reports whether the site is closed where a request comes from, according to the last list. */
export const isClosedTo = (request) => isClosed(heard, placeOf(request));

/**
 * isClosedHere is isClosedTo for what is served without Go: if the last list is not current, it asks Go first. If Go does not respond, it
 * uses the last list. Meanwhile other requests don't ask. If the isolate has no list yet, they wait for it, for a bounded time. Each checks
 * with timers of its own whether it is there, because a request must not wait for a promise of another. A cancelled request never
 * resets `asking`. So RETRY and WAIT both count from askedAt.
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
