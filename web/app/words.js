// The words of the interface. Scripts have them in English. For every language, cmd/assets makes a copy of each script with the words of
// that language (cmd/assets/words.go).

/**
 * t is a text of the interface with values for its "{}". "|" divides its forms for a number. The first number among the values chooses
 * the form, as in package locale.
 */
export const t = (text, ...values) => {
  const { lang } = document.documentElement;
  const n = values.find(Number.isFinite);
  const forms = text.split("|");
  const rules = new Intl.PluralRules(lang);
  const form = forms[1] ? forms[rules.resolvedOptions().pluralCategories.indexOf(rules.select(n))] ?? forms.at(-1) : text;
  let next = 0;
  return form.replace(/\{(\d*)\}/g, (_, i) => {
    const value = values[i || next++];
    return Number.isFinite(value) ? value.toLocaleString(lang) : value;
  });
};
