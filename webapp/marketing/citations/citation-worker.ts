import citeproc from "citeproc";
import type { CslItem } from "./csl-item.ts";
import { adaptLocale, type StyleLanguage } from "./style-locale.ts";

export interface CitationTask {
  id: number;
  /** Addresses of the files; they are fetched once. A style that comes with its text is only named. */
  style: string;
  styleText?: string;
  locale: string;
  language: StyleLanguage | "de-DE";
  items: readonly CslItem[];
}

export interface CitationResult {
  id: number;
  /** Each reference as HTML, in the order of the style, with the item it is of. */
  list: { itemId: string; html: string; inText: string }[];
  failed: boolean;
}

/** A worker's own global, which the types of a page do not have. */
const scope = globalThis as unknown as {
  postMessage(message: CitationResult): void;
  addEventListener(name: "message", listener: (event: { data: CitationTask }) => void): void;
};

const files = new Map<string, Promise<string>>();

function readOnce(address: string): Promise<string> {
  const text =
    files.get(address) ??
    fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      return response.text();
    });
  files.set(address, text);
  // It is asked for again next time.
  text.catch(() => files.delete(address));
  return text;
}

interface Loaded {
  engine: InstanceType<typeof citeproc.Engine>;
  items: Map<string, CslItem>;
}
const engines = new Map<string, Loaded>();

/** Building an engine takes seconds for the largest styles, so each is cached. */
async function loadEngine({ style, styleText, locale, language }: Omit<CitationTask, "id" | "items">): Promise<Loaded> {
  const key = styleText ?? style;
  const known = engines.get(key);
  if (known) return known;
  const [text, localeText] = await Promise.all([styleText ?? readOnce(style), readOnce(locale)]);
  const items = new Map<string, CslItem>();
  const adapted = adaptLocale(localeText, language);
  const system = { retrieveLocale: () => adapted, retrieveItem: (id: string) => items.get(id) };
  // A style's own language would go before that of the page.
  const engine = new citeproc.Engine(system, text, language, language === "de-DE");
  const loaded = { engine, items };
  engines.set(key, loaded);
  return loaded;
}

async function format({ items, ...task }: CitationTask): Promise<CitationResult["list"]> {
  const loaded = await loadEngine(task);
  for (const item of items) loaded.items.set(item.id, item);
  loaded.engine.updateItems(items.map(({ id }) => id));
  const inText = new Map(
    items.map(({ id }) => [id, loaded.engine.makeCitationCluster([{ id }])] satisfies [string, string]),
  );
  const made = loaded.engine.makeBibliography();
  // Some styles, such as notes without a list, have no bibliography.
  if (made === false) return items.map(({ id }) => ({ itemId: id, html: "", inText: inText.get(id) ?? "" }));
  const [{ entry_ids: ids }, entries] = made;
  return entries.map((html, at) => {
    const itemId = ids[at]?.[0] ?? "";
    return { itemId, html, inText: inText.get(itemId) ?? "" };
  });
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const post = (result: CitationResult) => scope.postMessage(result);

scope.addEventListener("message", ({ data }) => {
  format(data).then(
    (list) => post({ id: data.id, list, failed: false }),
    () => post({ id: data.id, list: [], failed: true }),
  );
});
