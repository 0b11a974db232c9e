import type Stripe from "stripe";
import { defaultPrices, findByLookupKey, lookupKeys, toPriceInfo } from "#shared/billing/prices.ts";
import { currencyOf, findCountry } from "#shared/billing/regions.ts";
import { fromMinorUnits } from "#shared/billing/currency.ts";
import type { PaidPlan, Recurrence, RegionalPrice } from "#shared/billing/schema.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Ctx } from "#api/http/handler.ts";
import { arePaymentsConfigured, type Settings } from "#api/settings.ts";
import { rememberPrice } from "./known-prices.ts";
import { callStripe } from "./stripe-client.ts";

const CACHE_MS = 60 * 60 * 1000;
const plans = ["PLUS", "ULTIMATE"] as const;
const recurrences = ["monthly", "yearly"] as const;

interface StoredPrice {
  id: string;
  /** Minor units by currency, in lower case. */
  amounts: Readonly<Record<string, number>>;
  currency: string;
}
type PriceTable = Record<PaidPlan, Record<Recurrence, StoredPrice>>;

const cache = new WeakMap<Settings, { at: number; table: PriceTable | undefined }>();

/** Clears the cache after a price was refused, so that the next purchase reads the prices again. */
export const forgetPrices = (settings: Settings) => cache.delete(settings);

/** The four prices at the provider; undefined if one is missing. Rejects if the provider cannot be reached. */
export async function readPriceTable({ settings, clock, store }: Pick<Ctx, "settings" | "clock" | "store">) {
  const cached = cache.get(settings);
  const now = clock.now();
  if (cached && now - cached.at < CACHE_MS && now >= cached.at) return cached.table;
  const keys = plans.flatMap((plan) => recurrences.map((recurrence) => lookupKeys[plan][recurrence]));
  const { data } = await callStripe(settings, (stripe) =>
    stripe.prices.list({ lookup_keys: keys, active: true, expand: ["data.currency_options"], limit: 10 }),
  );
  const table = toTable(data);
  for (const price of data) await rememberPrice(store, price);
  // An incomplete table is not cached, because the operator may be creating the missing price.
  if (table) cache.set(settings, { at: now, table });
  return table;
}

function toTable(prices: readonly Stripe.Price[]): PriceTable | undefined {
  const table: Record<PaidPlan, Partial<Record<Recurrence, StoredPrice>>> = { PLUS: {}, ULTIMATE: {} };
  for (const price of prices) {
    const found = findByLookupKey(price.lookup_key);
    if (found && price.unit_amount !== null)
      table[found.plan][found.recurrence] = { id: price.id, amounts: amountsOf(price), currency: price.currency };
  }
  const isWhole = plans.every((plan) => recurrences.every((recurrence) => table[plan][recurrence]));
  return isWhole ? (table as PriceTable) : undefined;
}

function amountsOf({ currency, unit_amount, currency_options }: Stripe.Price): Record<string, number> {
  const options = Object.entries(currency_options ?? {}).flatMap(([code, option]) =>
    option.unit_amount === null ? [] : [[code, option.unit_amount] as const],
  );
  return { ...Object.fromEntries(options), ...(unit_amount === null ? {} : { [currency]: unit_amount }) };
}

/**
 * The currency in which all four prices are shown and charged: the first preferred one in which each has an amount,
 * else that of the first price.
 */
export function chooseCurrency(table: PriceTable, preferred: readonly (string | undefined)[]): string {
  const isComplete = (currency: string) =>
    plans.every((plan) => recurrences.every((recurrence) => table[plan][recurrence].amounts[currency] !== undefined));
  return preferred.find((currency) => currency !== undefined && isComplete(currency)) ?? table.PLUS.monthly.currency;
}

/**
 * The country of a request. Anybody can send the country headers, so they count only behind a proxy that the operator
 * configured.
 */
export function countryOfRequest(ctx: Ctx, timezone: string | undefined): string {
  const isProxied = ctx.settings.TRUST_PROXY > 0;
  return findCountry({
    header: isProxied ? (ctx.header("cf-ipcountry") ?? ctx.header("x-vercel-ip-country")) : undefined,
    timezone,
    acceptLanguage: ctx.header("accept-language"),
  });
}

interface PriceRequest {
  country: string;
  /** Currency of an earlier subscription. */
  currency: string | undefined;
  language: Language;
}

/**
 * Prices for a country. Falls back to our table in US dollars if the provider is not configured, does not answer or
 * lacks a price.
 */
export async function regionalPrice(ctx: Ctx, { country, currency, language }: PriceRequest): Promise<RegionalPrice> {
  const table = arePaymentsConfigured(ctx.settings) ? await readPriceTable(ctx).catch(() => undefined) : undefined;
  if (!table) {
    const toInfo = (plan: PaidPlan) =>
      toPriceInfo({ amounts: defaultPrices[plan], currency: "usd", country, language });
    return { PLUS: toInfo("PLUS"), ULTIMATE: toInfo("ULTIMATE") };
  }
  const shown = chooseCurrency(table, [currency, currencyOf(country)]);
  const toInfo = (plan: PaidPlan) => {
    const amountOf = (recurrence: Recurrence) => fromMinorUnits(table[plan][recurrence].amounts[shown] ?? 0, shown);
    const amounts = { monthly: amountOf("monthly"), yearly: amountOf("yearly") };
    return toPriceInfo({ amounts, currency: shown, country, language });
  };
  return { PLUS: toInfo("PLUS"), ULTIMATE: toInfo("ULTIMATE") };
}
