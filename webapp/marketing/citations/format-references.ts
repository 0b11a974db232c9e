import citeproc from "citeproc";
import type { CslItem } from "./csl-item.ts";
import { adaptLocale, type StyleLanguage } from "./style-locale.ts";

export interface FormattedReference {
  itemId: string;
  /** The entry of the list as HTML; empty in a style that has no list. */
  html: string;
  inText: string;
}

/** A style that is ready to format; building it takes seconds for the largest. */
export interface Formatter {
  engine: InstanceType<typeof citeproc.Engine>;
  items: Map<string, CslItem>;
}

interface FormatterFiles {
  style: string;
  /** The terms and dates of a language. */
  locale: string;
  language: StyleLanguage | "de-DE";
}

export function createFormatter({ style, locale, language }: FormatterFiles): Formatter {
  const items = new Map<string, CslItem>();
  const adapted = adaptLocale(locale, language);
  const system = { retrieveLocale: () => adapted, retrieveItem: (id: string) => items.get(id) };
  // A style's own language would go before that of the page.
  return { engine: new citeproc.Engine(system, style, language, language === "de-DE"), items };
}

/** Each reference in the order of the style. */
export function formatReferences({ engine, items: known }: Formatter, items: readonly CslItem[]): FormattedReference[] {
  for (const item of items) known.set(item.id, item);
  engine.updateItems(items.map(({ id }) => id));
  const inText = new Map(items.map(({ id }) => [id, engine.makeCitationCluster([{ id }])] satisfies [string, string]));
  const made = engine.makeBibliography();
  const toReference = (itemId: string, html: string) => ({ itemId, html, inText: inText.get(itemId) ?? "" });
  // Some styles, such as notes without a list, have no bibliography, and others leave sources out of it.
  const [{ entry_ids: ids }, entries] = made === false ? [{ entry_ids: [] }, []] : made;
  const listed = entries.map((html, at) => toReference(ids[at]?.[0] ?? "", html));
  const others = items.filter(({ id }) => listed.every(({ itemId }) => itemId !== id));
  return [...listed, ...others.map(({ id }) => toReference(id, ""))];
}
