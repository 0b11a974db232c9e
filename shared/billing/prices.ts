import { currencyFormat } from "./currency.ts";
import type { PaidPlan, PriceInfo, Recurrence } from "./schema.ts";

/** Prices in US dollars where the payment provider has none. */
export const defaultPrices = {
  PLUS: { monthly: 8, yearly: 76 },
  ULTIMATE: { monthly: 20, yearly: 144 },
} as const satisfies Record<PaidPlan, Record<Recurrence, number>>;

/** The lookup key of each price at Stripe. */
export const lookupKeys = {
  PLUS: { monthly: "plus_month", yearly: "plus_year" },
  ULTIMATE: { monthly: "ultimate_month", yearly: "ultimate_year" },
} as const satisfies Record<PaidPlan, Record<Recurrence, string>>;

/** The plan and recurrence of a lookup key; undefined if it is not one of ours. */
export function findByLookupKey(key: string | null): { plan: PaidPlan; recurrence: Recurrence } | undefined {
  for (const plan of ["PLUS", "ULTIMATE"] as const)
    for (const recurrence of ["monthly", "yearly"] as const)
      if (lookupKeys[plan][recurrence] === key) return { plan, recurrence };
  return undefined;
}

/**
 * The saving of a year compared with twelve months, in percent. Rounded down, so that the promise is never too high.
 */
export function yearlyDiscountPercent({ monthly, yearly }: Record<Recurrence, number>): number {
  if (monthly <= 0) return 0;
  // Rounded first, since 0.4 of floating point is a little less than 40 percent.
  const percent = Math.round((1 - yearly / (monthly * 12)) * 1e6) / 1e4;
  return Math.max(0, Math.floor(percent));
}

interface PriceInput {
  amounts: Record<Recurrence, number>;
  currency: string;
  country: string;
  language: string;
}

export function toPriceInfo({ amounts, currency, country, language }: PriceInput): PriceInfo {
  return {
    currency: currency.toUpperCase(),
    currency_format: currencyFormat(currency, language, country),
    country_code: country,
    monthly: amounts.monthly,
    yearly: amounts.yearly,
    yearly_discount_percent: yearlyDiscountPercent(amounts),
  };
}
