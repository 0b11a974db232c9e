import type { PriceInfo } from "./schema.ts";

/** Stands for the number in the format of a currency. */
export const PRICE_PLACEHOLDER = "{price}";

/** Making a format takes milliseconds, and a page shows a dozen amounts of one currency. */
const knownDecimals = new Map<string, number>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Currencies have 0, 2 or 3 decimals (https://docs.stripe.com/currencies#zero-decimal); JPY has none. */
export function decimalsOf(currency: string): number {
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

/** An amount for people: whole amounts without decimals, others with all of them. */
export function formatPrice(
  { currency, currency_format }: Pick<PriceInfo, "currency" | "currency_format">,
  amount: number,
  language: string,
): string {
  const decimals = decimalsOf(currency);
  const rounded = Math.round(amount * 10 ** decimals) / 10 ** decimals;
  const digits = Number.isInteger(rounded) ? 0 : decimals;
  return currency_format.replace(PRICE_PLACEHOLDER, () => formatNumberOf(rounded, language, digits));
}
