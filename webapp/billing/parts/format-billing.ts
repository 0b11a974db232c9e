import { formatPrice } from "#shared/billing/currency.ts";
import { toPriceInfo } from "#shared/billing/prices.ts";
import type { Discount } from "#shared/billing/schema.ts";
import { documentLanguage, formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";

export const formatDate = (time: number): string =>
  new Date(time).toLocaleDateString(documentLanguage(), { dateStyle: "long" });

export function formatMoney(amount: number, currency: string): string {
  const language = documentLanguage();
  const amounts = { monthly: amount, yearly: amount };
  return formatPrice(toPriceInfo({ amounts, currency, country: "US", language }), amount, language);
}

/** Formats how much a discount takes off, and for how long. */
export function formatDiscount({ percent, amount, endsAt, isOnce }: Discount, currency: string): string {
  if (percent === null && amount === null) return t("billing.discount_applies");
  const off =
    percent === null ? formatMoney(amount ?? 0, currency) : formatShare(percent / 100, { maximumFractionDigits: 2 });
  if (isOnce) return t("billing.discount_once", { off });
  if (endsAt === null) return t("billing.discount_forever", { off });
  return t("billing.discount_until", { off, date: formatDate(endsAt) });
}
