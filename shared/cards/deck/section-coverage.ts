import type { Candidate } from "../generate/candidates.ts";
import { candidatesOf, type ReadSection } from "../generate/section-candidates.ts";
import type { EngineEvent } from "../schema.ts";
import type { CoverageLimits, DeckLimits } from "../select/deck-limits.ts";
import type { LikelyCandidate, Selector } from "../select/select.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { wordsOf } from "#shared/text/words.ts";

/** A run of sentences of one section that should have a card. */
interface CoverageWindow {
  part: ReadSection;
  /** Orders of facts, `to` excluded. */
  from: number;
  to: number;
}

const countWords = (part: ReadSection) => part.section.passages.reduce((n, { text }) => n + wordsOf(text).length, 0);

/** A section in runs of about equal length, one for each `wordsPerCard`; a short section is one run. */
function windowsOf(part: ReadSection, wordsPerCard: number): CoverageWindow[] {
  const total = countWords(part);
  const count = Math.max(1, Math.round(total / wordsPerCard));
  const starts = [part.firstOrder];
  let words = 0;
  for (const { order, raw } of part.facts) {
    if (words >= (total / count) * starts.length && starts.length < count) starts.push(order);
    words += wordsOf(raw).length;
  }
  return starts.map((from, i) => ({ part, from, to: starts[i + 1] ?? part.endOrder }));
}

const isInWindow = ({ fact }: Candidate, { from, to }: CoverageWindow) => fact.order >= from && fact.order < to;

type Placed = LikelyCandidate & { path: readonly string[] };

/** The first of these candidates that the deck takes. */
function takeFirst(candidates: readonly LikelyCandidate[], path: readonly string[], selector: Selector) {
  for (const { entry } of candidates) {
    const card = selector.takeOne(entry, path);
    if (card) return card;
  }
  return undefined;
}

/** Gives each run of this section without a card its likeliest; returns all likely candidates. */
function* coverWindows(
  part: ReadSection,
  lexicon: Lexicon,
  { selector, limits }: { selector: Selector; limits: CoverageLimits },
): Generator<EngineEvent, Placed[]> {
  const { path } = part.section;
  const likely = selector.listLikely(candidatesOf(part, lexicon), limits.windowProbability);
  for (const window of windowsOf(part, limits.wordsPerCard)) {
    if (selector.hasCardIn(window)) continue;
    const inWindow = likely.filter(({ entry }) => isInWindow(entry.candidate, window));
    const card = takeFirst(inWindow, path, selector);
    if (card) yield { type: "card", card };
  }
  return likely.map((one) => ({ ...one, path }));
}

/**
 * Gives every section, and every run of as many words as one card covers, its likeliest card if a reader would probably
 * keep that; then, until the deck has as many cards as its words ask for, the likeliest others.
 */
export function* coverSections(
  read: readonly ReadSection[],
  lexicon: Lexicon,
  { selector, measure, words }: { selector: Selector; measure: DeckLimits; words: number },
): Generator<EngineEvent> {
  const limits = measure.coverage;
  if (limits === undefined || measure.isNarrative === true) return;
  const others: Placed[] = [];
  for (const part of read) {
    const likely = yield* coverWindows(part, lexicon, { selector, limits });
    others.push(...likely.filter(({ probability }) => probability >= limits.deckProbability));
  }
  for (const { entry, path } of others.toSorted((a, b) => b.probability - a.probability)) {
    if (selector.count * limits.wordsPerCard >= words) return;
    const card = selector.takeOne(entry, path);
    if (card) yield { type: "card", card };
  }
}
