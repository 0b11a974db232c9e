import type { Passage } from "#shared/pdf/schema.ts";
import type { Candidate } from "#shared/engine/candidates.ts";
import { askCircumstances } from "#shared/engine/circumstances.ts";
import { askBlanks } from "#shared/engine/cloze.ts";
import { askDefinitions } from "#shared/engine/definitions.ts";
import { type Fact, readFacts } from "#shared/engine/facts.ts";
import { learnWords, type Lexicon, newLexicon } from "#shared/engine/naming.ts";
import { askEmphasised } from "#shared/engine/foreign.ts";
import { isEnglish } from "#shared/engine/language.ts";
import { askCounted, askListed } from "#shared/engine/lists.ts";
import { askRelations } from "#shared/engine/relations.ts";
import type { EngineEvent, EngineOptions } from "#shared/engine/schema.ts";
import { readSections, type Section } from "#shared/engine/sections.ts";
import { type Measure, measureOf, Selector } from "#shared/engine/select.ts";
import { markedTerms } from "#shared/engine/terms.ts";
import { contentStems, wordsOf } from "#shared/engine/words.ts";

interface ReadSection {
  section: Section;
  facts: Fact[];
}

/** Reads everything once: which words are terms is known only from the whole. */
function* readAll(
  sections: readonly Section[],
  lexicon: Lexicon,
  total: number,
): Generator<EngineEvent, ReadSection[]> {
  const marked = markedTerms(sections.flatMap((s) => s.passages));
  lexicon.terms.addMarked(marked);
  const read: ReadSection[] = [];
  let done = 0;
  let order = 0;
  for (const section of sections) {
    const facts: Fact[] = [];
    for (const passage of section.passages) {
      const own = readFacts(passage, marked, order);
      for (const { tokens } of own) learnWords(lexicon, tokens);
      order += own.length;
      facts.push(...own);
      if (++done % 50 === 0) yield { type: "progress", done, total };
    }
    read.push({ section, facts });
  }
  lexicon.terms.settle();
  return read;
}

function candidatesOf({ section, facts }: ReadSection, lexicon: Lexicon): Candidate[] {
  return [
    ...askListed(section, facts, lexicon),
    ...facts
      .flatMap((fact) => [...fact.parts, ...(fact.parts.length > 0 && wordsOf(fact.text).length > 24 ? [] : [fact])])
      .flatMap((fact) => [
        ...askDefinitions(fact, lexicon),
        ...askCounted(fact, lexicon),
        ...askCircumstances(fact, lexicon),
        ...askRelations(fact, lexicon),
        ...askBlanks(fact, lexicon),
      ]),
  ];
}

const TELLS = /\b(?:he|she|him|her|his|said|cried|asked|I|you|thee|thou)\b|^["“']/;

/** A story holds few facts to learn: its cards are fewer and must be better. */
function temper(measure: Measure, facts: readonly Fact[]): Measure {
  const told = facts.filter(({ raw }) => TELLS.test(raw)).length;
  if (told < facts.length * 0.3 || facts.length < 20) return measure;
  return { ...measure, cards: Math.ceil(measure.cards / 4), floor: measure.floor + 0.4 };
}

const READS_ENGLISH = /^(?:en(?:[-_].*)?|english|auto.*|)$/i;

/**
 * Cards from a source, section by section, without a model: the same input gives the same cards in the same order.
 * Progress is told between cards so that a host can breathe.
 */
export function* generateCards(passages: readonly Passage[], options: EngineOptions): Generator<EngineEvent> {
  if (!isEnglish(passages)) {
    yield* generateForeign(passages, options);
    return;
  }
  if (!READS_ENGLISH.test(options.language?.trim() ?? "")) yield { type: "notice", notice: "not_translated" };
  const sections = readSections(passages);
  const half = sections.reduce((n, s) => n + s.passages.length, 0);
  const total = half * 2;
  const lexicon = newLexicon();
  const read = yield* readAll(sections, lexicon, total);
  const words = sections.reduce((n, s) => n + s.passages.reduce((m, p) => m + wordsOf(p.text).length, 0), 0);
  const measure = temper(
    measureOf(options.density, words),
    read.flatMap(({ facts }) => facts),
  );
  const focus = new Set(contentStems(options.customInstructions ?? "").filter((s) => s.length > 3));
  const selector = new Selector({ passages, lexicon, focus }, measure, options.alreadyAsked ?? []);
  const mass = read.map(({ facts }) => facts.reduce((n, f) => n + (f.isSound ? 1 : 0) + f.marked.length, 0));
  const whole = Math.max(
    1,
    mass.reduce((a, b) => a + b, 0),
  );
  let weighed = 0;
  let done = half;
  for (const [i, part] of read.entries()) {
    weighed += mass[i] ?? 0;
    const quota = Math.ceil((measure.cards * weighed) / whole) - selector.count;
    for (const card of selector.take(candidatesOf(part, lexicon), part.facts, quota)) yield { type: "card", card };
    done += part.section.passages.length;
    yield { type: "progress", done, total };
  }
  if (selector.count < measure.cards * 0.8 && options.density !== "AUTO")
    yield { type: "notice", notice: "fewer_cards_than_asked" };
}

function* generateForeign(passages: readonly Passage[], options: EngineOptions): Generator<EngineEvent> {
  const most = measureOf(options.density, 3000).cards;
  let count = 0;
  for (const card of askEmphasised(passages, most)) {
    if (count++ === 0) yield { type: "notice", notice: "only_emphasised_terms" };
    yield { type: "card", card };
  }
  if (count === 0) yield { type: "notice", notice: "language_not_supported" };
  yield { type: "progress", done: 1, total: 1 };
}
