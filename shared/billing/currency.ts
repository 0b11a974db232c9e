import type { PriceInfo } from "./schema.ts";

/** Stands for the number in the format of a currency. */
const PRICE_PLACEHOLDER = "{price}";

/** Making a format takes milliseconds, and a page shows a dozen amounts of one currency. */
const knownDecimals = new Map<string, number>();
const currencyFormats = new Map<string, string>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Stripe counts in the smallest unit of a currency, such as cents. */
export const fromMinorUnits = (amount: number, currency: string): number => amount / 10 ** decimalsOf(currency);

/** Currencies have 0, 2 or 3 decimals (https://docs.stripe.com/currencies#zero-decimal); JPY has none. */
function decimalsOf(currency: string): number {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  const decimals = maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
}

function formatNumberOf(amount: number, language: string, digits: number): string {
  const key = `${language} ${digits}`;
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  numberFormats.set(key, format);
  return format.format(amount);
}

const isNumber = (type: string) => type === "integer" || type === "decimal" || type === "fraction";

/** How readers of a language write an amount in a country, with a placeholder for the number: "{price} €". */
export function currencyFormat(currency: string, language: string, country: string): string {
  const key = `${currency} ${language} ${country}`;
  const known = currencyFormats.get(key);
  if (known !== undefined) return known;
  const locale = new Intl.Locale(language, { region: country });
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency }).formatToParts(1);
  const first = parts.findIndex(({ type }) => isNumber(type));
  const format = parts
    .map(({ type, value }, at) => (at === first ? PRICE_PLACEHOLDER : isNumber(type) ? "" : value))
    .join("");
  currencyFormats.set(key, format);
  return format;
}

/**
 * An amount for people: whole amounts without decimals, others with all of them. Formatted in the reader's language,
 * which may differ from the language of the price request.
 */
export function formatPrice(
  { currency, country_code }: Pick<PriceInfo, "currency" | "country_code">,
  amount: number,
  language: string,
): string {
  const decimals = decimalsOf(currency);
  const rounded = Math.round(amount * 10 ** decimals) / 10 ** decimals;
  const digits = Number.isInteger(rounded) ? 0 : decimals;
  return currencyFormat(currency, language, country_code).replace(PRICE_PLACEHOLDER, () =>
    formatNumberOf(rounded, language, digits),
  );
}
