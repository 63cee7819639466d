// A time says in its title when exactly it was: in the reader's language, and in the time zone that they have chosen, or else their
// device's.
let format;
const show = ({ target }) => {
  const time = target.closest?.("time[title]");
  if (!time || time.local) return;
  const at = new Date(time.dateTime);
  if (isNaN(at)) return;
  const timeZone = document.documentElement.dataset.zone || undefined;
  format ||= new Intl.DateTimeFormat([], { dateStyle: "full", timeStyle: "short", timeZone });
  time.title = format.format(at);
  time.local = true;
};
export const startTimes = () => document.addEventListener("pointerover", show);
