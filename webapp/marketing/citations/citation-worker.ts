import type { CslItem } from "./csl-item.ts";
import { createFormatter, formatReferences, type FormattedReference, type Formatter } from "./format-references.ts";
import type { StyleLanguage } from "./style-locale.ts";

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
  list: FormattedReference[];
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

const formatters = new Map<string, Promise<Formatter>>();

/** Each style is built once, also for a task that comes while it is loaded. */
function loadFormatter(task: Omit<CitationTask, "id" | "items">): Promise<Formatter> {
  const key = task.styleText ?? task.style;
  const formatter = formatters.get(key) ?? buildFormatter(task);
  formatters.set(key, formatter);
  formatter.catch(() => formatters.delete(key));
  return formatter;
}

async function buildFormatter(task: Omit<CitationTask, "id" | "items">): Promise<Formatter> {
  const readStyle = async () => task.styleText ?? (await readOnce(task.style));
  const [style, locale] = await Promise.all([readStyle(), readOnce(task.locale)]);
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
