import { readFacts } from "../source/facts.ts";
import type { CoverageEntry } from "../schema.ts";
import { readSections, skippedTitles } from "../source/sections.ts";
import { type MarkedTerm, markedTerms } from "../source/terms.ts";
import { headingWriter } from "#shared/text/capitals.ts";
import { phraseKey } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** The fields of a card that coverage needs. */
export interface CoveredCard {
  id: string;
  question: string;
  answer: string;
  passageId: string;
}

/** Longer coverage lists are unreadable. */
const MAX_SECTIONS = 200;
const MAX_TERMS = 300;
const MAX_LABEL_CHARS = 200;

interface SectionSpan {
  label: string;
  page: number | null;
  passages: Passage[];
  from: number;
  to: number;
}

const firstWords = (text: string) => (text.length > 60 ? `${text.slice(0, text.lastIndexOf(" ", 60))}…` : text);

/** Sections in reading order; a section that was split for its length is rejoined. */
function sectionSpans(passages: readonly Passage[], writeHeading = headingWriter(passages)): SectionSpan[] {
  const order = new Map(passages.map((p, i) => [p.id, i]));
  const ranges: SectionSpan[] = [];
  for (const { title: heading, passages: sectionPassages } of readSections(passages)) {
    const title = writeHeading(heading);
    const positions = sectionPassages.map((p) => order.get(p.id) ?? 0);
    const [from, to] = [Math.min(...positions), Math.max(...positions)];
    const last = ranges.at(-1);
    if (last && title !== "" && last.label === title)
      Object.assign(last, { to, passages: [...last.passages, ...sectionPassages] });
    else {
      const label = title === "" ? firstWords(sectionPassages[0]?.text ?? "") : title;
      ranges.push({ label, page: sectionPassages[0]?.locator.page ?? null, passages: sectionPassages, from, to });
    }
  }
  return ranges;
}

const hasUsableFact = (passages: readonly Passage[], emphasised: readonly MarkedTerm[], key?: string) =>
  passages.some((passage) =>
    readFacts(passage, emphasised, 0).some(
      (fact) => fact.isSelfContained && (key === undefined || ` ${phraseKey(fact.text)} `.includes(` ${key} `)),
    ),
  );

/**
 * For each section and each emphasised term of a source: the cards that cover it, or why it has none. Sections without
 * content to learn (references, exercises, credits) are listed as skipped.
 */
export function coverageOf(passages: readonly Passage[], cards: readonly CoveredCard[]): CoverageEntry[] {
  const order = new Map(passages.map((p, i) => [p.id, i]));
  const writeHeading = headingWriter(passages);
  const ranges = sectionSpans(passages, writeHeading).slice(0, MAX_SECTIONS);
  const emphasised = markedTerms(ranges.flatMap((r) => r.passages));
  const placed = cards.map(({ id, passageId }) => ({ id, position: order.get(passageId) ?? -1 }));
  const sections = ranges.map((range, i): CoverageEntry => {
    const end = ranges[i + 1]?.from ?? Number.POSITIVE_INFINITY;
    const cardIds = placed
      .filter(({ position }) => position >= range.from && position < Math.max(end, range.to + 1))
      .map(({ id }) => id);
    const skipped = cardIds.length > 0 ? null : hasUsableFact(range.passages, emphasised) ? "left_out" : "no_fact";
    const passageId = range.passages[0]?.id;
    return {
      kind: "section",
      label: range.label.slice(0, MAX_LABEL_CHARS),
      page: range.page,
      passageId,
      cardIds,
      skipped,
    };
  });
  const excluded = skippedTitles(passages).map(({ title, page }): CoverageEntry => {
    return {
      kind: "section",
      label: writeHeading(title).slice(0, MAX_LABEL_CHARS),
      page,
      cardIds: [],
      skipped: "not_matter",
    };
  });
  return [...sections, ...excluded, ...termEntries(cards, emphasised)];
}

function termEntries(cards: readonly CoveredCard[], emphasised: readonly MarkedTerm[]): CoverageEntry[] {
  const texts = cards.map(({ id, question, answer }) => ({ id, key: ` ${phraseKey(`${question} . ${answer}`)} ` }));
  const seen = new Map<string, MarkedTerm>();
  for (const term of emphasised) if (!seen.has(phraseKey(term.text))) seen.set(phraseKey(term.text), term);
  return [...seen].slice(0, MAX_TERMS).map(([key, { text, passage }]): CoverageEntry => {
    const cardIds = texts.filter((card) => card.key.includes(` ${key} `)).map(({ id }) => id);
    const skipped = cardIds.length > 0 ? null : hasUsableFact([passage], emphasised, key) ? "left_out" : "no_fact";
    const page = passage.locator.page ?? null;
    return { kind: "term", label: text, page, passageId: passage.id, cardIds, skipped };
  });
}

/** The passages for new cards about one section or term; the whole source if that section or term isn't found. */
export function findPassagesAbout(
  passages: readonly Passage[],
  target: { kind: "section" | "term"; label: string },
): readonly Passage[] {
  if (target.kind === "section") {
    // Labels stored before headings were written as sentences may be in capitals.
    const wanted = target.label.toLowerCase();
    const range = sectionSpans(passages).find(({ label }) => label.slice(0, MAX_LABEL_CHARS).toLowerCase() === wanted);
    return range ? passages.slice(range.from, range.to + 1) : passages;
  }
  const key = phraseKey(target.label);
  const about = passages.filter((p) => p.kind === "heading" || ` ${phraseKey(p.text)} `.includes(` ${key} `));
  return about.some((p) => p.kind !== "heading") ? about : passages;
}
