import { arePaymentsConfigured, getDefaultPlan, type Settings } from "#api/settings.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Language } from "./visitor-language.ts";

export type PageValues = Readonly<Record<string, string | undefined>>;

/** The settings that pages may show. Pages highlight values that the operator has not set. */
export const siteValues = (settings: Settings): PageValues => ({
  PUBLIC_URL: settings.PUBLIC_URL,
  OPERATOR_NAME: settings.OPERATOR_NAME,
  OPERATOR_ADDRESS: settings.OPERATOR_ADDRESS,
  OPERATOR_EMAIL: settings.OPERATOR_EMAIL,
  OPERATOR_COUNTRY: settings.OPERATOR_COUNTRY,
  COMMUNITY_CHAT_URL: settings.COMMUNITY_CHAT_URL,
  COMMUNITY_FORUM_URL: settings.COMMUNITY_FORUM_URL,
  EXTENSION_CHROME_URL: settings.EXTENSION_CHROME_URL,
  EXTENSION_FIREFOX_URL: settings.EXTENSION_FIREFOX_URL,
  STORAGE_GB_FREE: String(settings.STORAGE_GB_FREE),
  STORAGE_GB_PLUS: String(settings.STORAGE_GB_PLUS),
  STORAGE_GB_ULTIMATE: String(settings.STORAGE_GB_ULTIMATE),
  PROVIDERS: settings.GOOGLE_CLIENT_ID ?? settings.APPLE_CLIENT_ID,
  PAYMENTS: arePaymentsConfigured(settings) ? "configured" : undefined,
  // One of NEW_FREE, NEW_PLUS and NEW_ULTIMATE: the plan of new accounts.
  [`NEW_${getDefaultPlan(settings)}`]: "new",
});

/** Shown where the operator has set no value. */
export const missingText: Readonly<Record<Language, string>> = {
  en: "not filled in by the operator",
  de: "vom Betreiber nicht eingetragen",
};

/** Removes sections whose condition is not met. An `unless` may contain an `if`, and the other way round. */
const applyConditions = (html: string, values: PageValues): string =>
  html.replaceAll(/<!--(if|unless) (\w+)-->([\s\S]*?)<!--\/\1-->/g, (_, kind: string, name: string, inner: string) =>
    (kind === "if") === (values[name] !== undefined) ? applyConditions(inner, values) : "",
  );

/** Fills in the values that only the running server has: its address and the operator's details. */
export function fillPage(html: string, values: PageValues, missing: string): string {
  return applyConditions(html, values).replaceAll(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    return value === undefined ? `<mark class="unfilled">[${missing}]</mark>` : escapeHtml(value);
  });
}
