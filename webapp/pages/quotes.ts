import type { Node as PmNode } from "@tiptap/pm/model";
import { foldWords } from "#shared/pages/quoting.ts";
import type { Quotes } from "./page-door.tsx";
import { listBlocks } from "./editor/chunks.ts";
import type { PageSession } from "./session/page-session.ts";

/** Debounce: subscribers are notified once typing pauses. */
const QUIET_MS = 800;

const folded = new WeakMap<PmNode, string>();

function foldOf(node: PmNode): string {
  const known = folded.get(node);
  if (known !== undefined) return known;
  const words = foldWords(node.textContent);
  folded.set(node, words);
  return words;
}

/** Checks whether quotes are still on an open page; the folded text of unchanged lines is cached. */
export class PageQuotes implements Quotes {
  readonly #session: PageSession;
  #held: { doc: PmNode; text: string } | undefined;

  constructor(session: PageSession) {
    this.#session = session;
  }

  readonly holds = (quote: string): boolean => {
    const doc = this.#session.editor?.state.doc;
    // Unknown until the page is open, so no change is reported.
    if (!doc) return true;
    if (this.#held?.doc !== doc) {
      const lines = listBlocks(doc).map(({ node }) => (node.isTextblock ? foldOf(node) : ""));
      this.#held = { doc, text: ` ${lines.filter((line) => line !== "").join(" ")} ` };
    }
    return this.#held.text.includes(` ${foldWords(quote)} `);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = this.#session.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(listener, QUIET_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  };
}
