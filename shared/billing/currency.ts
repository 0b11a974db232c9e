import type { PriceInfo } from "./schema.ts";

/** Stands for the number in the format of a currency. */
export const PRICE_PLACEHOLDER = "{price}";

/** Currencies have 0, 2 or 3 decimals (https://docs.stripe.com/currencies#zero-decimal); JPY has none. */
export function decimalsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
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
  const number = rounded.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return currency_format.replace(PRICE_PLACEHOLDER, () => number);
}
