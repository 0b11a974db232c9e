/** The varieties of English of the bundled styles, which differ in punctuation, quotation marks and dates. */
export type StyleLanguage = "en-US" | "en-GB";

const BRITISH_DATE =
  '<date form="text"><date-part name="day" suffix=" "/><date-part name="month" suffix=" "/><date-part name="year"/></date>';
const britishQuotes = { "open-quote": "‘", "close-quote": "’", "open-inner-quote": "“", "close-inner-quote": "”" };

/**
 * Adapts the American locale to a British style: single quotation marks, commas outside of them, and the day before the
 * month. The terms are the same. For other languages the locale is returned unchanged.
 */
export function adaptLocale(american: string, language: StyleLanguage | "de-DE"): string {
  if (language !== "en-GB") return american;
  const text = american
    .replace('xml:lang="en-US"', 'xml:lang="en-GB"')
    .replace('punctuation-in-quote="true"', 'punctuation-in-quote="false"')
    .replace(/<date form="text">[^]*?<\/date>/, BRITISH_DATE);
  return Object.entries(britishQuotes).reduce(
    (changed, [name, quote]) => changed.replace(new RegExp(`(<term name="${name}">)[^<]*`), `$1${quote}`),
    text,
  );
}
