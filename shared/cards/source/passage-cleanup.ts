import type { Passage } from "#shared/pdf/schema.ts";

type Ranges = Passage["bold"];

const shiftRanges = (ranges: Ranges, by: number): Ranges =>
  ranges.flatMap(([a, b]): Ranges => (b + by <= 0 ? [] : [[Math.max(0, a + by), b + by]]));

/** The passage without its first characters; its remaining text is still an exact quote. */
function dropHead(passage: Passage, count: number): Passage {
  const { text, bold, italic } = passage;
  return { ...passage, text: text.slice(count), bold: shiftRanges(bold, -count), italic: shiftRanges(italic, -count) };
}

const SENTENCE_END = /[.!?:;]["”’)\]]*\s*$/;

/** Whether a paragraph that a page break cut continues in the next passage. */
function joinsNext(first: Passage, next: Passage, page: number): boolean {
  const isNextPage = page > 0 && next.locator.page === page + 1;
  const isProse = first.kind !== "table_row" && first.kind !== "heading" && next.kind === "paragraph";
  return isProse && isNextPage && continuesText(first.text, next.text);
}

/** A short line before a capital is a title at the foot of its page. */
function continuesText(first: string, next: string): boolean {
  const isTitle = first.length < MAX_TITLE_CHARS && /^\p{Lu}/u.test(next);
  return !SENTENCE_END.test(first) && /^[\p{L}\p{N}("“]/u.test(next) && !isTitle;
}
const MAX_TITLE_CHARS = 60;

function join(first: Passage, next: Passage): Passage {
  const separator = /\p{Ll}-$/u.test(first.text) ? "" : " ";
  const shift = first.text.length + separator.length;
  return {
    ...first,
    text: first.text + separator + next.text,
    bold: [...first.bold, ...shiftRanges(next.bold, shift)],
    italic: [...first.italic, ...shiftRanges(next.italic, shift)],
  };
}

/** Joins paragraphs that a page break cut. */
export function joinAcrossPages(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = [];
  let page = 0;
  for (const passage of passages) {
    const last = joined.at(-1);
    if (last && joinsNext(last, passage, page)) joined[joined.length - 1] = join(last, passage);
    else joined.push(passage);
    page = passage.locator.page ?? 0;
  }
  return joined;
}

/** A symbol font's bullet often becomes a letter: "r Dropout – …" at the start of many blocks. */
function bulletLetter(passages: readonly Passage[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { text } of passages) {
    const letter = /^([b-z]) \p{L}/u.exec(text)?.[1];
    if (letter !== undefined) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count >= 6)?.[0];
}

/** "Training. The model …": a bold heading at the start of its paragraph. */
function runInLength({ text, bold: [first] }: Passage): number {
  if (!first || first[0] !== 0 || first[1] > 60 || first[1] > text.length / 3) return 0;
  const after = text.slice(first[1]);
  const isHeading = /^\.?\s+\p{Lu}\p{Ll}*\s/u.test(after) || /\.\s*$/.test(text.slice(0, first[1]));
  return isHeading ? first[1] + (/^\.?\s*/.exec(after)?.[0].length ?? 0) : 0;
}

/** "… of cluster j. r Algorithm – After initializing": the next point of a list, in the same paragraph. */
const NEXT_LIST_ITEM = /(?<=[.:;)\]] ?)\b([b-z]) (?=\p{Lu}[^.–]{2,60} – )/gu;

/** Splits list items that a parser joined into one passage. */
export function splitPoints(passages: readonly Passage[]): Passage[] {
  return passages.flatMap((passage) => {
    const starts = [...passage.text.matchAll(NEXT_LIST_ITEM)].map((m) => m.index + m[0].length);
    if (starts.length === 0 || starts.length > 20) return [passage];
    return [0, ...starts].map((from, i) => {
      const to = (starts[i] ?? passage.text.length + 2) - 2;
      const cut = dropHead(passage, from);
      return { ...cut, text: passage.text.slice(from, to).trimEnd() };
    });
  });
}

/** Removes bullets and inline headings. */
export function trimInlineHeadings(passages: readonly Passage[]): Passage[] {
  const bullet = bulletLetter(passages);
  return passages.map((passage) => {
    const hasBullet = bullet !== undefined && passage.text.startsWith(`${bullet} `);
    const bare = hasBullet ? dropHead(passage, 2) : passage;
    const runIn = runInLength(bare);
    return runIn > 0 && bare.kind === "paragraph" ? dropHead(bare, runIn) : bare;
  });
}
