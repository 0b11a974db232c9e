import { anchorQuote } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { edit, falsehoods, falsify, smallEdits, type Falsehood, type SmallEdit } from "./quote-edits.ts";
import { seededRandom } from "#tests/kit/random.ts";
import { faultOf, quotesOf, containsSentence, type Quote, type ReadFile } from "./quote-sample.ts";

interface Drawn extends Quote {
  file: ReadFile;
}

export interface Missed {
  kind: SmallEdit;
  file: string;
  quote: string;
  fault: string;
}

export interface WronglyLit {
  kind: Falsehood;
  file: string;
  quote: string;
}

/** Sentences of all files in an order that depends only on the seed. */
function draw(files: readonly ReadFile[], random: () => number): Drawn[] {
  const all = files.flatMap((file) => quotesOf(file).map((quote) => ({ file, ...quote })));
  return all
    .map((drawn) => ({ drawn, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ drawn }) => drawn);
}

/** Looks for sentences with small edits, and returns those that were not found at their position. */
export function sweepFound(
  files: readonly ReadFile[],
  count: number,
  seed: number,
): { tried: number; missed: Missed[] } {
  const random = seededRandom(seed);
  const missed: Missed[] = [];
  const drawn = draw(files, random).slice(0, count);
  for (const [index, { file, ...quote }] of drawn.entries()) {
    const kind = smallEdits[index % smallEdits.length] ?? "none";
    const edited = edit(quote.text, kind, random);
    const found = anchorQuote(file.pages, { quote: edited, page: quote.passage.locator.page });
    const fault = faultOf(file, quote, found);
    if (fault !== undefined) missed.push({ kind, file: file.name, quote: edited, fault });
  }
  return { tried: drawn.length, missed };
}

/** Looks for sentences that are not in the document, and returns those that were wrongly found. */
export function sweepAbsent(
  files: readonly ReadFile[],
  count: number,
  seed: number,
): { tried: number; lit: WronglyLit[] } {
  const random = seededRandom(seed);
  const lit: WronglyLit[] = [];
  let tried = 0;
  for (const [index, { file, text, passage }] of draw(files, random).entries()) {
    if (tried >= count) break;
    const kind = falsehoods[index % falsehoods.length] ?? "shuffled";
    const others = files.filter((candidate) => candidate !== file);
    const searchedFile = kind === "other document" ? others[Math.floor(random() * others.length)] : file;
    const quote = falsify(text, kind, random);
    if (quote === undefined || searchedFile === undefined || containsSentence(searchedFile, quote)) continue;
    tried += 1;
    // With a page for every second quote, because citations come with and without one.
    const page = index % 2 === 0 ? passage.locator.page : undefined;
    if (anchorQuote(searchedFile.pages, { quote, page })) lit.push({ kind, file: searchedFile.name, quote });
  }
  return { tried, lit };
}
