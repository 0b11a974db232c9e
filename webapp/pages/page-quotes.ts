import type { Node as PmNode } from "@tiptap/pm/model";
import { normaliseWords } from "#shared/pages/quote-matching.ts";
import type { QuotesPort } from "./page-port.tsx";
import { readBlockText } from "./editor/block-text.ts";
import { listBlocks } from "./editor/chunks.ts";
import type { PageSession } from "./session/page-session.ts";

/** Debounce: subscribers are notified once typing pauses. */
const DEBOUNCE_MS = 800;

const normalisedNodes = new WeakMap<PmNode, string>();

function normaliseNode(node: PmNode): string {
  const cached = normalisedNodes.get(node);
  if (cached !== undefined) return cached;
  const words = normaliseWords(readBlockText(node));
  normalisedNodes.set(node, words);
  return words;
}

/** Checks whether quotes are still on an open page; the normalised text of unchanged lines is cached. */
export class PageQuotes implements QuotesPort {
  readonly #session: PageSession;
  #normalisedPage: { doc: PmNode; text: string } | undefined;

  constructor(session: PageSession) {
    this.#session = session;
  }

  readonly contains = (quote: string): boolean => {
    const doc = this.#session.editor?.state.doc;
    // Unknown until the page is open, so no change is reported.
    if (!doc) return true;
    if (this.#normalisedPage?.doc !== doc) {
      const lines = listBlocks(doc).map(({ node }) => normaliseNode(node));
      this.#normalisedPage = { doc, text: ` ${lines.filter((line) => line !== "").join(" ")} ` };
    }
    return this.#normalisedPage.text.includes(` ${normaliseWords(quote)} `);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = this.#session.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(listener, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  };
}
