import { formatPrice } from "#shared/billing/currency.ts";
import type { PriceInfo, RegionalPrice } from "#shared/billing/schema.ts";

const amountsOf = ({ monthly, yearly }: PriceInfo): Readonly<Record<string, number>> => ({
  month: yearly / 12,
  monthly,
  yearly,
  free: 0,
});

/** Replaces the default prices with those of the visitor's country. */
function showPrices(prices: RegionalPrice, language: string): void {
  for (const element of document.querySelectorAll<HTMLElement>("#pricing [data-amount]")) {
    const { plan, amount = "" } = element.dataset;
    const price = prices[plan === "ULTIMATE" ? "ULTIMATE" : "PLUS"];
    const value = amountsOf(price)[amount];
    element.textContent =
      value === undefined ? String(price.yearly_discount_percent) : formatPrice(price, value, language);
  }
}

async function start(): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { lang } = document.documentElement;
  try {
    const answer = await fetch(`/v1/stripe/regional_price?${new URLSearchParams({ timezone: timeZone }).toString()}`, {
      headers: { "accept-language": [lang, ...navigator.languages].join(",") },
    });
    if (!answer.ok) throw new Error(`Prices: ${answer.status}`);
    showPrices((await answer.json()) as RegionalPrice, lang);
  } catch {
    document.getElementById("pricing-failed")?.removeAttribute("hidden");
  }
}

// The page of a server that sells no plans has no prices.
if (document.querySelector("#pricing [data-amount]")) void start();
