import { expect, test } from "vitest";
import { formatPrice } from "#shared/billing/currency.ts";
import { defaultPrices, findByLookupKey, toPriceInfo, yearlyDiscountPercent } from "#shared/billing/prices.ts";
import { countryOfTimezone, currencyOf, findCountry } from "#shared/billing/regions.ts";

test("the yearly discount is computed, and rounded down", () => {
  expect(yearlyDiscountPercent(defaultPrices.PLUS)).toBe(20);
  expect(yearlyDiscountPercent(defaultPrices.ULTIMATE)).toBe(40);
  expect(yearlyDiscountPercent({ monthly: 5, yearly: 70 })).toBe(0);
  expect(yearlyDiscountPercent({ monthly: 0, yearly: 0 })).toBe(0);
});

test("a price is formatted for the student's country, with a placeholder for the amount", () => {
  const amounts = defaultPrices.PLUS;
  const dollars = toPriceInfo({ amounts, currency: "usd", country: "US", language: "en" });
  expect(dollars).toEqual({
    currency: "USD",
    currency_format: "${price}",
    country_code: "US",
    monthly: 8,
    yearly: 76,
    yearly_discount_percent: 20,
  });
  expect(formatPrice(dollars, 8, "en")).toBe("$8");
  expect(formatPrice(dollars, 76 / 12, "en")).toBe("$6.33");
  // The price was requested in English and is shown in German.
  expect(formatPrice(dollars, 76 / 12, "de")).toBe("6,33\u00a0$");
  const euros = toPriceInfo({ amounts, currency: "eur", country: "DE", language: "de" });
  expect(euros.currency_format).toBe("{price}\u00a0€");
  expect(formatPrice(euros, 6.5, "de")).toBe("6,50\u00a0€");
  const yen = toPriceInfo({
    amounts: { monthly: 1200, yearly: 11_520 },
    currency: "jpy",
    country: "JP",
    language: "en",
  });
  expect(formatPrice(yen, 1200, "en")).toBe("¥1,200");
});

test("the country comes from a trusted proxy, then the time zone, then the browser's languages", () => {
  const all = { header: "CH", timezone: "Europe/Berlin", acceptLanguage: "en-GB,en;q=0.8" };
  expect(findCountry(all)).toBe("CH");
  expect(findCountry({ ...all, header: "XX" })).toBe("DE");
  expect(findCountry({ ...all, header: "<script>" })).toBe("DE");
  expect(findCountry({ ...all, header: undefined, timezone: undefined })).toBe("GB");
  expect(findCountry({ header: undefined, timezone: "Etc/Nowhere", acceptLanguage: "de" })).toBe("US");
  expect(countryOfTimezone("Asia/Tokyo")).toBe("JP");
  expect([currencyOf("DE"), currencyOf("JP"), currencyOf("AQ")]).toEqual(["eur", "jpy", "usd"]);
});

test("a lookup key names a plan and its billing period", () => {
  expect(findByLookupKey("ultimate_year")).toEqual({ plan: "ULTIMATE", recurrence: "yearly" });
  expect(findByLookupKey("something_else")).toBeUndefined();
  expect(findByLookupKey(null)).toBeUndefined();
});
