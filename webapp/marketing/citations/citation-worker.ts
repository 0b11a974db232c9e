import type { CslItem } from "./csl-item.ts";
import { createFormatter, formatReferences, type FormattedReference, type Formatter } from "./format-references.ts";
import type { StyleLanguage } from "./style-locale.ts";

export interface CitationTask {
  id: number;
  /** Address of the style's file, or the name of a style whose text is in `styleText`. */
  style: string;
  styleText?: string;
  /** Address of the locale's file. */
  locale: string;
  language: StyleLanguage | "de-DE";
  items: readonly CslItem[];
}

export interface CitationResult {
  id: number;
  list: FormattedReference[];
  failed: boolean;
}

/** The worker's global object, for which the types of pages have no declaration. */
const scope = globalThis as unknown as {
  postMessage(message: CitationResult): void;
  addEventListener(name: "message", listener: (event: { data: CitationTask }) => void): void;
};

const files = new Map<string, Promise<string>>();

function readCached(address: string): Promise<string> {
  const text =
    files.get(address) ??
    fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      return response.text();
    });
  files.set(address, text);
  // After a failure, the file is fetched again next time.
  text.catch(() => files.delete(address));
  return text;
}

const formatters = new Map<string, Promise<Formatter>>();

/** Each formatter is built only once, even if another task arrives while it is being built. */
function loadFormatter(task: Omit<CitationTask, "id" | "items">): Promise<Formatter> {
  const key = task.styleText ?? task.style;
  const formatter = formatters.get(key) ?? buildFormatter(task);
  formatters.set(key, formatter);
  formatter.catch(() => formatters.delete(key));
  return formatter;
}

async function buildFormatter(task: Omit<CitationTask, "id" | "items">): Promise<Formatter> {
  const readStyle = async () => task.styleText ?? (await readCached(task.style));
  const [style, locale] = await Promise.all([readStyle(), readCached(task.locale)]);
  return createFormatter({ style, locale, language: task.language });
}

const format = async ({ items, ...task }: CitationTask): Promise<FormattedReference[]> =>
  formatReferences(await loadFormatter(task), items);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const post = (result: CitationResult) => scope.postMessage(result);

scope.addEventListener("message", ({ data }) => {
  format(data).then(
    (list) => post({ id: data.id, list, failed: false }),
    () => post({ id: data.id, list: [], failed: true }),
  );
});
