import type { Settings } from "#api/settings.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Language } from "./visitor-language.ts";

/** What the operator may say of themselves; pages mark what is missing. */
export type Operator = Pick<
  Settings,
  | "PUBLIC_URL"
  | "OPERATOR_NAME"
  | "OPERATOR_ADDRESS"
  | "OPERATOR_EMAIL"
  | "OPERATOR_COUNTRY"
  | "COMMUNITY_CHAT_URL"
  | "COMMUNITY_FORUM_URL"
>;

export type PageValues = Readonly<Record<string, string | undefined>>;

/** Stands where the operator filled in nothing. */
export const missingText: Readonly<Record<Language, string>> = {
  en: "not filled in by the operator",
  de: "vom Betreiber nicht eingetragen",
};

/** Fills in what only the running server knows: its address, and what the operator says of themselves. */
export function fillPage(html: string, values: PageValues, missing: string): string {
  return html
    .replaceAll(/<!--(if|unless) (\w+)-->([\s\S]*?)<!--\/\1-->/g, (_, kind: string, name: string, inner: string) =>
      (kind === "if") === (values[name] !== undefined) ? inner : "",
    )
    .replaceAll(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
      const value = values[name];
      return value === undefined ? `<mark class="unfilled">[${missing}]</mark>` : escapeHtml(value);
    });
}
