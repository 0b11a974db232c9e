import citeproc from "citeproc";
import type { CslItem } from "./csl-item.ts";
import { adaptLocale, type StyleLanguage } from "./style-locale.ts";

export interface FormattedReference {
  itemId: string;
  /** The entry in the bibliography as HTML; empty if the style has no bibliography. */
  html: string;
  inText: string;
}

/** A style that is ready to format. Building it takes seconds for the largest styles. */
export interface Formatter {
  engine: InstanceType<typeof citeproc.Engine>;
  items: Map<string, CslItem>;
}

interface FormatterFiles {
  style: string;
  /** The CSL locale file, with the terms and date formats of a language. */
  locale: string;
  language: StyleLanguage | "de-DE";
}

export function createFormatter({ style, locale, language }: FormatterFiles): Formatter {
  const items = new Map<string, CslItem>();
  const adapted = adaptLocale(locale, language);
  const system = { retrieveLocale: () => adapted, retrieveItem: (id: string) => items.get(id) };
  // German is forced, because otherwise citeproc would prefer the style's own language to the page's.
  return { engine: new citeproc.Engine(system, style, language, language === "de-DE"), items };
}

/** Formats the references and sorts them in the style's order. */
export function formatReferences({ engine, items: known }: Formatter, items: readonly CslItem[]): FormattedReference[] {
  for (const item of items) known.set(item.id, item);
  engine.updateItems(items.map(({ id }) => id));
  const inText = new Map(items.map(({ id }) => [id, engine.makeCitationCluster([{ id }])] satisfies [string, string]));
  const bibliography = engine.makeBibliography();
  const toReference = (itemId: string, html: string) => ({ itemId, html, inText: inText.get(itemId) ?? "" });
  // Some styles, such as those with notes only, have no bibliography. Other styles leave some sources out of it.
  const [{ entry_ids: ids }, entries] = bibliography === false ? [{ entry_ids: [] }, []] : bibliography;
  const listed = entries.map((html, index) => toReference(ids[index]?.[0] ?? "", html));
  const others = items.filter(({ id }) => listed.every(({ itemId }) => itemId !== id));
  return [...listed, ...others.map(({ id }) => toReference(id, ""))];
}
