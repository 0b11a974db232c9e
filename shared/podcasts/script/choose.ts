import { stripNumbering } from "./chapter-title.ts";
import type { ScriptRun, ScriptSection, ScriptSentence } from "./script-source.ts";
import {
  endsPaper,
  isFindingsHeading,
  isDateOrWork,
  isLabelRow,
  isMethodsHeading,
  isPartOfPaper,
  isRepetition,
} from "./section-kinds.ts";
import { ShortForms, spellsOutShortForm } from "./short-forms.ts";
import { toSpeech } from "../speech/to-speech.ts";

/** A run, or the part of it that fits into the episode. */
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
  /** The time that another run costs besides its sentences: the host's words and the silence around them. */
  runMs: number;
  sentenceMs(sentence: ScriptSentence): number;
}

/** The time of a section grows with this power of its length, so that short sections get some, too. */
const WEIGHT_POWER = 0.7;
const FINDINGS_WEIGHT = 1.6;
/** Listeners are less interested in methods than in findings. */
const METHODS_WEIGHT = 0.4;
/** Bonus for a run next to a chosen one, because it continues it. */
const NEIGHBOUR_BONUS = 0.5;

const costOf = (runs: readonly ChosenRun[], costs: Costs): number =>
  runs.reduce((sum, { sentences }) => sentences.reduce((ms, one) => ms + costs.sentenceMs(one), sum + costs.runMs), 0);

class TimeBudget {
  readonly #costs: Costs;
  readonly #counts = new Map<ScriptRun, number>();
  #leftMs: number;

  constructor(budgetMs: number, costs: Costs) {
    this.#leftMs = budgetMs;
    this.#costs = costs;
  }

  countOf(run: ScriptRun): number {
    return this.#counts.get(run) ?? 0;
  }

  /** Adds as many sentences of a run as fit into `limitMs`, or none; returns the time used. */
  take(run: ScriptRun, limitMs: number): number {
    const before = this.countOf(run);
    let spentMs = before === 0 ? this.#costs.runMs : 0;
    let [count, takenMs] = [before, 0];
    for (const [index, sentence] of run.sentences.entries()) {
      if (index < before) continue;
      spentMs += this.#costs.sentenceMs(sentence);
      if (spentMs > Math.min(limitMs, this.#leftMs)) break;
      if (index + 1 >= run.minSentences) [count, takenMs] = [index + 1, spentMs];
    }
    if (count === before) return 0;
    this.#counts.set(run, count);
    this.#leftMs -= takenMs;
    return takenMs;
  }
}

const byScore = (runs: readonly ScriptRun[]) => runs.toSorted((a, b) => b.score - a.score);

const whole = (run: ScriptRun): ChosenRun => ({ run, sentences: run.sentences });

/** If each section would get less time than this, fewer sections are chosen. */
const MIN_SECTION_MS = 40_000;

const bestOf = ({ runs }: ScriptSection) => Math.max(...runs.map(({ score }) => score));

/** How many headings, from the top level down, all these paths share. */
function commonDepth([first = [], ...others]: readonly (readonly string[])[]): number {
  const differing = first.findIndex((title, at) => others.some((path) => path[at] !== title));
  return differing === -1 ? first.length : differing;
}

/** Names the main part of its source in which a section stands. */
function createPartOf(sections: readonly ScriptSection[]): (section: ScriptSection) => string {
  const depths = new Map<number, number>();
  for (const source of new Set(sections.map((section) => section.source)))
    depths.set(source, commonDepth(sections.filter((one) => one.source === source).map(({ path }) => path)));
  return ({ source, path }) => `${source} ${path[depths.get(source) ?? 0] ?? ""}`;
}

/** A deeper heading is a detail of the one above it. */
const DEPTH_PENALTY = 0.25;
/** For the first section of a main part. */
const NEW_PART_BONUS = 0.5;
/** For each section of the same main part that is already chosen. */
const SAME_PART_PENALTY = 0.1;

/** The sections that an episode has time for: those with the best runs, spread over the main parts. */
function chooseSections(sections: readonly ScriptSection[], budgetMs: number): ScriptSection[] {
  const count = Math.max(1, Math.floor(budgetMs / MIN_SECTION_MS));
  if (count >= sections.length) return [...sections];
  const partOf = createPartOf(sections);
  const counts = new Map<string, number>();
  const left = new Set(sections);
  const rate = (section: ScriptSection) => {
    const sameCount = counts.get(partOf(section)) ?? 0;
    const ofPart = sameCount === 0 ? NEW_PART_BONUS : -sameCount * SAME_PART_PENALTY;
    return ofPart + bestOf(section) - section.path.length * DEPTH_PENALTY;
  };
  while (left.size > sections.length - count) {
    const best = [...left].reduce((one, other) => (rate(other) > rate(one) ? other : one));
    left.delete(best);
    counts.set(partOf(best), (counts.get(partOf(best)) ?? 0) + 1);
  }
  return sections.filter((section) => !left.has(section));
}

/** Tries the runs of a section, the best first. A run next to a chosen one scores higher. */
function takeRuns(runs: readonly ScriptRun[], take: (run: ScriptRun) => boolean): void {
  const entries = runs.map((run, at) => ({ run, at, score: run.score }));
  const open = new Set(entries);
  while (open.size > 0) {
    const best = [...open].reduce((one, other) => (other.score > one.score ? other : one));
    open.delete(best);
    if (!take(best.run)) continue;
    for (const neighbour of [entries[best.at - 1], entries[best.at + 1]])
      if (neighbour) neighbour.score = neighbour.run.score + NEIGHBOUR_BONUS;
  }
}

/** If less of the time is filled, every run is used. */
const ENOUGH_SHARE = 0.95;

/**
 * Chooses the runs that fill the time. A section of which only one sentence would be spoken is left out if the others fill
 * it.
 */
export function chooseRuns(sections: readonly ScriptSection[], budgetMs: number, costs: Costs): ChosenSection[] {
  const chosen = fillBudget(sections, budgetMs, costs);
  const hasOneSentence = ({ section, chosen: [first, second] }: ChosenSection) =>
    !isFindingsHeading(section.title) && first?.sentences.length === 1 && second === undefined;
  const others = chosen.filter((one) => !hasOneSentence(one));
  const filledMs = others.reduce((sum, { costMs }) => sum + costMs, 0);
  if (others.length === chosen.length || filledMs < budgetMs * ENOUGH_SHARE) return chosen;
  const dropped = new Set(chosen.filter(hasOneSentence).map(({ section }) => section));
  return chooseRuns(
    sections.filter((section) => !dropped.has(section)),
    budgetMs,
    costs,
  );
}

/** Each section gets a share by weight, filled with its best runs first. */
function fillBudget(sections: readonly ScriptSection[], budgetMs: number, costs: Costs): ChosenSection[] {
  const budget = new TimeBudget(budgetMs, costs);
  const isPaper = sections.some(({ title }) => isPartOfPaper(title));
  const isOfMethods = ({ title }: ScriptSection) => isPaper && isMethodsHeading(title);
  const ofFindings = sections.filter((section) => !isOfMethods(section));
  const wholeCostOf = (runs: readonly ScriptRun[]) => costOf(runs.map(whole), costs);
  const findingsFillBudget = wholeCostOf(ofFindings.flatMap(({ runs }) => runs)) > budgetMs;
  const covered = chooseSections(findingsFillBudget ? ofFindings : sections, budgetMs);
  const factorOf = (section: ScriptSection) => {
    if (isFindingsHeading(section.title)) return FINDINGS_WEIGHT;
    return isOfMethods(section) ? METHODS_WEIGHT : 1;
  };
  const weights = covered.map((section) => wholeCostOf(section.runs) ** WEIGHT_POWER * factorOf(section));
  const weight = weights.reduce((sum, one) => sum + one, 0);
  for (const [index, { runs }] of covered.entries()) {
    let shareMs = budgetMs * ((weights[index] ?? 0) / weight);
    // A run of a single sentence explains too little; it is used only if time is left.
    const multiSentenceRuns = runs.filter(({ sentences }) => sentences.length > 1);
    takeRuns(multiSentenceRuns, (run) => {
      const takenMs = budget.take(run, shareMs);
      shareMs -= takenMs;
      return takenMs > 0;
    });
  }
  for (const group of [covered, sections])
    for (const run of byScore(group.flatMap(({ runs }) => runs))) budget.take(run, Number.POSITIVE_INFINITY);
  return sections.flatMap((section) => {
    const chosen = section.runs.flatMap((run) => {
      const count = budget.countOf(run);
      return count === 0 ? [] : [{ run, sentences: run.sentences.slice(0, count) }];
    });
    return chosen.length === 0 ? [] : [{ section, chosen, costMs: costOf(chosen, costs) }];
  });
}

/** A run that spells out a short form scores higher, because other runs that use the short form can then be spoken. */
const SPELL_OUT_BONUS = 0.8;
const MAX_ROUNDS = 6;

function cutAt(run: ScriptRun, count: number): ScriptRun[] {
  if (count >= run.sentences.length) return [run];
  const canBeCut = count >= run.minSentences && count > 0;
  return canBeCut ? [{ ...run, sentences: run.sentences.slice(0, count) }] : [];
}

/** How many sentences of a run can be understood if these short forms were introduced before. */
function countUnderstood(
  { sentences }: Pick<ScriptRun, "sentences">,
  forms: ShortForms,
  introduced: Set<string>,
): number {
  const unknown = sentences.findIndex(({ sentence }) => {
    if (forms.hasUnknown(sentence, introduced)) return true;
    forms.introduce(sentence, introduced);
    return false;
  });
  return unknown === -1 ? sentences.length : unknown;
}

/**
 * Cuts each run before the first short form that the listener does not know yet: one that the source spells out, but no
 * earlier spoken sentence does. `spoken` contains the sentences that will be spoken, `known` the short forms that need no
 * explanation.
 */
function limitShortForms(
  sections: readonly ScriptSection[],
  forms: ShortForms,
  { spoken, known }: { spoken: ReadonlySet<ScriptSentence>; known: readonly string[] },
): ScriptSection[] {
  const introduced = new Set<string>(known);
  return sections.map((section) => ({
    ...section,
    runs: section.runs.flatMap((run) => {
      const chosen = run.sentences.filter((sentence) => spoken.has(sentence));
      const understood = countUnderstood(run, forms, new Set(introduced));
      for (const { sentence } of chosen.slice(0, understood)) forms.introduce(sentence, introduced);
      return cutAt(run, understood);
    }),
  }));
}

export interface UnderstoodChoice {
  chosen: ChosenSection[];
  /** The sections with every run that can be added. */
  sections: ScriptSection[];
}

const isEmpty = (sections: readonly ScriptSection[]) => sections.every(({ runs }) => runs.length === 0);

/** Chooses runs in which no short form is spoken before its long form, unless nothing would be left. */
export function chooseWithShortForms(
  sections: readonly ScriptSection[],
  budgetMs: number,
  costs: Costs,
  forms: ShortForms,
): UnderstoodChoice {
  let open: readonly ScriptSection[] = sections.map((section) => ({
    ...section,
    runs: section.runs.map((run) =>
      run.sentences.some(({ sentence }) => spellsOutShortForm(sentence))
        ? { ...run, score: run.score + SPELL_OUT_BONUS }
        : run,
    ),
  }));
  const all = new Set(open.flatMap(({ runs }) => runs.flatMap(({ sentences }) => sentences)));
  const explained = limitShortForms(open, forms, { spoken: all, known: [] });
  const isEnough =
    costOf(
      explained.flatMap(({ runs }) => runs.map(whole)),
      costs,
    ) > budgetMs;
  const unexplained = isEnough ? [] : forms.listUnexplained();
  open = isEnough ? explained : limitShortForms(open, forms, { spoken: all, known: unexplained });
  if (isEmpty(open) && !isEmpty(sections))
    return chooseWithShortForms(sections, budgetMs, costs, new ShortForms([], ""));
  for (let round = 0; ; round += 1) {
    const chosen = chooseRuns(open, budgetMs, costs);
    const spoken = new Set(chosen.flatMap((one) => one.chosen.flatMap(({ sentences }) => sentences)));
    const limited = limitShortForms(open, forms, { spoken, known: unexplained });
    const understoodSentences = new Set(limited.flatMap(({ runs }) => runs.flatMap(({ sentences }) => sentences)));
    const isUnderstood = [...spoken].every((sentence) => understoodSentences.has(sentence));
    if (isUnderstood || round >= MAX_ROUNDS) {
      const understood = chosen.flatMap((one) => {
        const runs = one.chosen.flatMap(({ run, sentences }) => {
          const rest = sentences.filter((sentence) => understoodSentences.has(sentence));
          return rest.length === 0 ? [] : [{ run, sentences: rest }];
        });
        return runs.length === 0 ? [] : [{ ...one, chosen: runs, costMs: costOf(runs, costs) }];
      });
      return { chosen: understood, sections: limited };
    }
    // Do not try again runs that cannot be understood.
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

/** How many headings two sections share, from the top level down; -1 for sections of different sources. */
function sharedDepth(one: ScriptSection | undefined, other: ScriptSection | undefined): number {
  if (!one || !other || one.source !== other.source) return -1;
  return commonDepth([one.path, other.path]);
}

interface Group {
  parts: ChosenSection[];
  costMs: number;
}

/** The rank of a pair is multiplied by this once for each heading that both sections share. */
const SHARED_WEIGHT = 0.45;
/** Sections of different sources are joined last. */
const OTHER_SOURCE_FACTOR = 1000;
/** What a paper concludes is a chapter of its own, if it is long enough. */
const END_FACTOR = 4;

/** Neighbours with the lowest rank are joined first. */
function joinRank(previous: Group | undefined, next: Group): number {
  const depth = sharedDepth(previous?.parts[0]?.section, next.parts.at(-1)?.section);
  const isEnd = endsPaper(next.parts[0]?.section.title ?? "");
  const factor = depth === -1 ? OTHER_SOURCE_FACTOR : SHARED_WEIGHT ** depth * (isEnd ? END_FACTOR : 1);
  return ((previous?.costMs ?? 0) + next.costMs) * factor;
}

/**
 * Joins neighbouring sections into chapters until there are few enough and each is long enough: short ones and ones
 * under a common heading first, ones of different sources last.
 */
export function joinChapters(sections: readonly ChosenSection[]): ScriptChapter[] {
  const totalMs = sections.reduce((sum, { costMs }) => sum + costMs, 0);
  const wanted = Math.max(MIN_CHAPTERS, Math.min(MAX_CHAPTERS, Math.round(totalMs / CHAPTER_MS)));
  const groups: Group[] = sections.map((part) => ({ parts: [part], costMs: part.costMs }));
  const isShort = ({ costMs }: Group) => costMs < MIN_CHAPTER_MS;
  while (groups.length > wanted || (groups.length > 1 && groups.some(isShort))) {
    const all = groups.slice(1).map((next, index) => ({ index, rank: joinRank(groups[index], next) }));
    const pairs =
      groups.length > wanted ? all : all.filter(({ index }) => groups.slice(index, index + 2).some(isShort));
    const best = pairs.toSorted((a, b) => a.rank - b.rank)[0];
    const [first, second] = best ? groups.splice(best.index, 2) : [];
    if (!best || !first || !second) break;
    groups.splice(best.index, 0, { parts: [...first.parts, ...second.parts], costMs: first.costMs + second.costMs });
  }
  return groups.map((group) => ({ ...group, title: headingOf(group.parts) }));
}

/** A heading that can be read aloud, without its number; otherwise empty. */
export function readableHeading(title: string): string {
  const plain = stripNumbering(title.trim());
  const isReadable =
    /\p{L}{3}/u.test(plain) && !isLabelRow(title) && !isDateOrWork(title) && toSpeech(plain) !== undefined;
  return isReadable ? plain : "";
}

/** The first usable heading of a chapter. Later headings are announced where their sections begin. */
function headingOf(parts: readonly ChosenSection[]): string {
  const titles = parts.map(({ section }) => readableHeading(section.title)).filter((title) => title !== "");
  return titles.find((title) => !isRepetition(title) && !/^abstract$/iu.test(title)) ?? titles[0] ?? "";
}
