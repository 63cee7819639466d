import { t } from "./words.js";

/** failure says why what was sent was not carried out, by the request that failed. */
export const failure = (xhr) => {
  if (!xhr || !xhr.status) return t("No connection. Nothing was changed; please try again.");
  if (xhr.status === 401) return t("Please log in first.");
  if (xhr.status === 403) return t("You may not do that here.");
  if (xhr.status === 429) return t("That was a little fast. Please wait a moment.");
  return t("That did not work. Please try again.");
};
