import { stripNumbering } from "./chapter-title.ts";
import type { ScriptRun, ScriptSection, ScriptSentence } from "./script-source.ts";
import { isLabelRow, isPartOfPaper, isRepetition, saysFindings, saysMethods } from "./section-kinds.ts";
import { ShortForms, spellsOutShortForm } from "./short-forms.ts";
import { toSpeech } from "../speech/to-speech.ts";

/** A run, as far as it fits into the episode. */
export interface ChosenRun {
  run: ScriptRun;
  sentences: readonly ScriptSentence[];
}

/** Runs of one section that fit into the episode, in reading order. */
export interface ChosenSection {
  section: ScriptSection;
  chosen: ChosenRun[];
  costMs: number;
}

export interface Costs {
  /** What it takes to begin another run: the host's words and the silence around them. */
  runMs: number;
  sentenceMs(sentence: ScriptSentence): number;
}

/** A large section gets more, but not in proportion: the others should be heard too. */
const WEIGHT_POWER = 0.7;
const FINDINGS_WEIGHT = 1.6;
/** How a work was done says less to a listener than what it found. */
const METHODS_WEIGHT = 0.4;
/** A run beside one that was chosen goes on from it. */
const NEIGHBOUR_SCORE = 0.5;

class Choice {
  readonly #costs: Costs;
  readonly #counts = new Map<ScriptRun, number>();
  leftMs: number;

  constructor(budgetMs: number, costs: Costs) {
    this.leftMs = budgetMs;
    this.#costs = costs;
  }

  countOf(run: ScriptRun): number {
    return this.#counts.get(run) ?? 0;
  }

  /** Takes as much of a run as fits into a time, or nothing; returns what that takes. */
  take(run: ScriptRun, limitMs: number): number {
    const before = this.countOf(run);
    let spentMs = before === 0 ? this.#costs.runMs : 0;
    let [count, takenMs] = [before, 0];
    for (const [index, sentence] of run.sentences.entries()) {
      if (index < before) continue;
      spentMs += this.#costs.sentenceMs(sentence);
      if (spentMs > Math.min(limitMs, this.leftMs)) break;
      if (index + 1 >= run.minSentences) [count, takenMs] = [index + 1, spentMs];
    }
    if (count === before) return 0;
    this.#counts.set(run, count);
    this.leftMs -= takenMs;
    return takenMs;
  }

  costOf(runs: readonly ChosenRun[]): number {
    return runs.reduce(
      (sum, { sentences }) => sentences.reduce((ms, one) => ms + this.#costs.sentenceMs(one), sum + this.#costs.runMs),
      0,
    );
  }
}

const byScore = (runs: readonly ScriptRun[]) => runs.toSorted((a, b) => b.score - a.score);

const whole = (run: ScriptRun): ChosenRun => ({ run, sentences: run.sentences });

/** With less time for each of them, fewer sections are read. */
const MIN_SECTION_MS = 40_000;

const bestOf = ({ runs }: ScriptSection) => Math.max(...runs.map(({ score }) => score));

/** The sections that an episode has time for: those with the best runs. */
function chooseSections(sections: readonly ScriptSection[], budgetMs: number): ScriptSection[] {
  const count = Math.max(1, Math.floor(budgetMs / MIN_SECTION_MS));
  const best = new Set(sections.toSorted((a, b) => bestOf(b) - bestOf(a)).slice(0, count));
  return sections.filter((section) => best.has(section));
}

/** Tries the runs of a section, the best first. A run beside one that was taken scores higher. */
function takeRuns(runs: readonly ScriptRun[], take: (run: ScriptRun) => boolean): void {
  const entries = runs.map((run, at) => ({ run, at, score: run.score }));
  const open = new Set(entries);
  while (open.size > 0) {
    const best = [...open].reduce((one, other) => (other.score > one.score ? other : one));
    open.delete(best);
    if (!take(best.run)) continue;
    for (const beside of [entries[best.at - 1], entries[best.at + 1]])
      if (beside) beside.score = beside.run.score + NEIGHBOUR_SCORE;
  }
}

/** Chooses what fits into a time: each section by its weight, the best runs of each first. */
export function chooseRuns(sections: readonly ScriptSection[], budgetMs: number, costs: Costs): ChosenSection[] {
  const choice = new Choice(budgetMs, costs);
  const isPaper = sections.some(({ title }) => isPartOfPaper(title));
  const isOfMethods = ({ title }: ScriptSection) => isPaper && saysMethods(title);
  const ofFindings = sections.filter((section) => !isOfMethods(section));
  const isEnough = choice.costOf(ofFindings.flatMap(({ runs }) => runs.map(whole))) > budgetMs;
  const covered = chooseSections(isEnough ? ofFindings : sections, budgetMs);
  const weights = covered.map((section) => {
    const factor = saysFindings(section.title) ? FINDINGS_WEIGHT : isOfMethods(section) ? METHODS_WEIGHT : 1;
    return choice.costOf(section.runs.map(whole)) ** WEIGHT_POWER * factor;
  });
  const weight = weights.reduce((sum, one) => sum + one, 0);
  for (const [index, { runs }] of covered.entries()) {
    let shareMs = budgetMs * ((weights[index] ?? 0) / weight);
    // A single sentence under its own heading says too little; it is taken only where time is left.
    const several = runs.filter(({ sentences }) => sentences.length > 1);
    takeRuns(several, (run) => {
      const takenMs = choice.take(run, shareMs);
      shareMs -= takenMs;
      return takenMs > 0;
    });
  }
  for (const group of [covered, sections])
    for (const run of byScore(group.flatMap(({ runs }) => runs))) choice.take(run, Number.POSITIVE_INFINITY);
  return sections.flatMap((section) => {
    const chosen = section.runs.flatMap((run) => {
      const count = choice.countOf(run);
      return count === 0 ? [] : [{ run, sentences: run.sentences.slice(0, count) }];
    });
    return chosen.length === 0 ? [] : [{ section, chosen, costMs: choice.costOf(chosen) }];
  });
}

const INTRODUCES_SCORE = 0.8;
const ROUNDS = 6;

const cutAt = (run: ScriptRun, count: number): ScriptRun[] =>
  count >= run.sentences.length
    ? [run]
    : count >= run.minSentences && count > 0
      ? [{ ...run, sentences: run.sentences.slice(0, count) }]
      : [];

/** How many sentences of a run are understood, when these short forms were introduced before. */
function countUnderstood(
  { sentences }: Pick<ScriptRun, "sentences">,
  forms: ShortForms,
  introduced: Set<string>,
): number {
  const unknown = sentences.findIndex(({ sentence }) => {
    if (forms.hasUnknown(sentence, introduced)) return true;
    forms.hear(sentence, introduced);
    return false;
  });
  return unknown === -1 ? sentences.length : unknown;
}

/**
 * The sections as far as a listener knows their short forms: a run ends before one that some run spells out, but
 * nothing that is `spoken` earlier. `spoken` tells which sentences of a run are.
 */
function limitShortForms(
  sections: readonly ScriptSection[],
  forms: ShortForms,
  spoken: ReadonlySet<ScriptSentence>,
): ScriptSection[] {
  const introduced = new Set<string>();
  return sections.map((section) => ({
    ...section,
    runs: section.runs.flatMap((run) => {
      const chosen = run.sentences.filter((sentence) => spoken.has(sentence));
      const understood = countUnderstood(run, forms, new Set(introduced));
      for (const { sentence } of chosen.slice(0, understood)) forms.hear(sentence, introduced);
      return cutAt(run, understood);
    }),
  }));
}

export interface UnderstoodChoice {
  chosen: ChosenSection[];
  /** The sections with everything that can be added. */
  sections: ScriptSection[];
}

const isEmpty = (sections: readonly ScriptSection[]) => sections.every(({ runs }) => runs.length === 0);

/** Chooses runs in which no short form is heard before its long form, unless nothing would be left. */
export function chooseUnderstood(
  sections: readonly ScriptSection[],
  budgetMs: number,
  costs: Costs,
  forms: ShortForms,
): UnderstoodChoice {
  // What spells a short form out is worth more: others can then be spoken.
  let open: readonly ScriptSection[] = sections.map((section) => ({
    ...section,
    runs: section.runs.map((run) =>
      run.sentences.some(({ sentence }) => spellsOutShortForm(sentence))
        ? { ...run, score: run.score + INTRODUCES_SCORE }
        : run,
    ),
  }));
  const all = new Set(open.flatMap(({ runs }) => runs.flatMap(({ sentences }) => sentences)));
  open = limitShortForms(open, forms, all);
  if (isEmpty(open) && !isEmpty(sections)) return chooseUnderstood(sections, budgetMs, costs, new ShortForms([], ""));
  for (let round = 0; ; round += 1) {
    const chosen = chooseRuns(open, budgetMs, costs);
    const spoken = new Set(chosen.flatMap((one) => one.chosen.flatMap(({ sentences }) => sentences)));
    const limited = limitShortForms(open, forms, spoken);
    const kept = new Set(limited.flatMap(({ runs }) => runs.flatMap(({ sentences }) => sentences)));
    const isUnderstood = [...spoken].every((sentence) => kept.has(sentence));
    if (isUnderstood || round >= ROUNDS) {
      const understood = chosen.flatMap((one) => {
        const runs = one.chosen.flatMap(({ run, sentences }) => {
          const rest = sentences.filter((sentence) => kept.has(sentence));
          return rest.length === 0 ? [] : [{ run, sentences: rest }];
        });
        return runs.length === 0 ? [] : [{ ...one, chosen: runs }];
      });
      return { chosen: understood, sections: limited };
    }
    // Runs that are not understood are not tried again.
    open = open.map((section, index) => {
      const known = new Set(limited[index]?.runs.flatMap(({ sentences }) => sentences));
      return {
        ...section,
        runs: section.runs.flatMap((run) => {
          const isMissing = run.sentences.some((one) => spoken.has(one) && !known.has(one));
          return isMissing ? cutAt(run, run.sentences.filter((one) => known.has(one)).length) : [run];
        }),
      };
    });
  }
}

export interface ScriptChapter {
  title: string;
  parts: ChosenSection[];
  costMs: number;
}

const CHAPTER_MS = 75_000;
const MIN_CHAPTER_MS = 25_000;
const MIN_CHAPTERS = 2;
const MAX_CHAPTERS = 7;

/** How many headings two sections share, from the highest on. */
function sharedDepth(one: ScriptSection | undefined, other: ScriptSection | undefined): number {
  if (!one || !other || one.source !== other.source) return -1;
  const differing = one.path.findIndex((title, index) => other.path[index] !== title);
  return differing === -1 ? one.path.length : differing;
}

interface Group {
  parts: ChosenSection[];
  costMs: number;
}

/** A pair under one heading counts as so much shorter. */
const SHARED_WEIGHT = 0.45;

function rankPair(previous: Group | undefined, next: Group) {
  const depth = sharedDepth(previous?.parts[0]?.section, next.parts.at(-1)?.section);
  return {
    depth,
    costMs: ((previous?.costMs ?? 0) + next.costMs) * (depth === -1 ? 1000 : SHARED_WEIGHT ** Math.max(0, depth)),
  };
}

/** Joins neighbours of one source, the shortest and those under one heading first, until a listener can follow them. */
export function joinChapters(sections: readonly ChosenSection[]): ScriptChapter[] {
  const totalMs = sections.reduce((sum, { costMs }) => sum + costMs, 0);
  const wanted = Math.max(MIN_CHAPTERS, Math.min(MAX_CHAPTERS, Math.round(totalMs / CHAPTER_MS)));
  const groups: Group[] = sections.map((part) => ({ parts: [part], costMs: part.costMs }));
  const isShort = ({ costMs }: Group) => costMs < MIN_CHAPTER_MS;
  while (groups.length > wanted || (groups.length > 1 && groups.some(isShort))) {
    const all = groups.slice(1).map((next, index) => ({ index, ...rankPair(groups[index], next) }));
    const pairs =
      groups.length > wanted ? all : all.filter(({ index }) => groups.slice(index, index + 2).some(isShort));
    const best = pairs.toSorted((a, b) => a.costMs - b.costMs)[0];
    const [first, second] = best ? groups.splice(best.index, 2) : [];
    if (!best || !first || !second) break;
    groups.splice(best.index, 0, { parts: [...first.parts, ...second.parts], costMs: first.costMs + second.costMs });
  }
  return groups.map((group) => ({ ...group, title: titleOf(group.parts) }));
}

/** A heading that can be read aloud, without its number; otherwise empty. */
export function readableHeading(title: string): string {
  const plain = stripNumbering(title.trim());
  const isReadable = /\p{L}{3}/u.test(plain) && !isLabelRow(title) && toSpeech(plain) !== undefined;
  return isReadable ? plain : "";
}

/** The heading of its first sentences; the headings of the others are named where theirs begin. */
function titleOf(parts: readonly ChosenSection[]): string {
  const titles = parts.map(({ section }) => readableHeading(section.title)).filter((title) => title !== "");
  return titles.find((title) => !isRepetition(title) && !/^abstract$/iu.test(title)) ?? titles[0] ?? "";
}
