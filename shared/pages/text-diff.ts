import { plainText } from "./runs.ts";
import type { Run } from "./schema.ts";

type Content = Readonly<Record<string, unknown>>;

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** The text of a component of any type, for comparison and short display. */
export function componentText(content: Content): string {
  if (Array.isArray(content["text"])) return plainText(content["text"] as Run[]);
  if (Array.isArray(content["cards"])) {
    const cards = content["cards"] as { question: string; answer: string }[];
    return [asText(content["title"]), ...cards.map(({ question, answer }) => `${question}\n${answer}`)].join("\n");
  }
  const file = content["file"] as { name?: unknown } | undefined;
  const named = [content["title"], file?.name].map(asText).find((name) => name !== "");
  return asText(content["text"]) || asText(content["code"]) || asText(content["latex"]) || (named ?? "");
}

export interface DiffPart {
  words: string;
  /** Whether the words are only in the earlier text, only in the later text, or in both. */
  side: "before" | "after" | "both";
}

/** Larger texts are shown one after the other, because comparing them would take too long. */
const MAX_CELLS = 4_000_000;

function splitWords(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].map(({ segment }) => segment);
}

/** For each pair of positions, the length of the longest common subsequence of the texts after them. */
function lcsLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      table[at] =
        a[i] === b[j] ? (table[at + width + 1] ?? 0) + 1 : Math.max(table[at + width] ?? 0, table[at + 1] ?? 0);
    }
  return table;
}

/** Word diff of two texts by their longest common subsequence. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [a, b] = [splitWords(before), splitWords(after)];
  const found: DiffPart[] = [];
  const add = (words: string | undefined, side: DiffPart["side"]) => {
    if (words === undefined || words === "") return;
    const last = found.at(-1);
    if (last?.side === side) last.words += words;
    else found.push({ words, side });
  };
  if (a.length * b.length > MAX_CELLS) {
    add(before, "before");
    add(after, "after");
    return found;
  }
  const table = lcsLengths(a, b);
  const at = (row: number, column: number) => table[row * (b.length + 1) + column] ?? 0;
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(a[i], "both");
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      add(a[i], "before");
      i += 1;
    } else {
      add(b[j], "after");
      j += 1;
    }
  return found;
}
