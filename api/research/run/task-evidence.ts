import { sentencesOf } from "#shared/research/canvas.ts";
import { joinSameHeadings } from "#shared/research/canvas-blocks.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { CanvasSection, SearchLimit } from "#shared/research/schema.ts";
import { learnTerms } from "#shared/research/evidence/terms/learn-terms.ts";
import { requiredForm } from "#shared/research/evidence/answer-form.ts";
import {
  type EvidencePassage,
  type EvidenceSentence,
  toCandidates,
  withPreceding,
} from "#shared/research/evidence/candidates.ts";
import { withOtherForms } from "#shared/research/evidence/terms/same-root.ts";
import { isLowWeightTerm } from "#shared/research/evidence/terms/low-weight-terms.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";
import { rankPassages, selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { LearnedTerms, PooledPassage, ResearchDraft } from "./run-state.ts";
import { MAX_SELECTED_SENTENCES } from "./task-writer.ts";
import { writeSection } from "./write-section.ts";

/** Maximum number of sentences under a heading that the student did not ask about. */
export const MAX_HEADING_SENTENCES = 3;

/** The sentences of the canvas, including those of earlier questions. */
const shownTexts = ({ state }: ResearchDraft) => new Set(sentencesOf(state.sections).map(({ text }) => text));

/**
 * Further answers to the student's own questions: sentences as good as those in their sections, which had no space
 * left.
 */
async function selectFurther(draft: ResearchDraft, gathered: GatheredSources): Promise<EvidenceSentence[]> {
  const used = shownTexts(draft);
  const further: EvidenceSentence[] = [];
  for (const { query, topic } of draft.state.tasks.filter((task) => task.topic === null)) {
    const selection = { query, topic, language: draft.language, most: MAX_SELECTED_SENTENCES, used, isFurther: true };
    const found = selectEvidence(await gathered.findEvidence(query), selection);
    further.push(...found);
    for (const { text } of found) used.add(text);
  }
  return further.toSorted((a, b) => b.score - a.score).slice(0, MAX_SELECTED_SENTENCES);
}

/** The sentences read so far that answer a task and are not on the canvas yet. */
export async function selectForTask(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { query, topic }: ResearchTask,
  { pool }: { pool: readonly PooledPassage[] },
): Promise<EvidenceSentence[]> {
  if (topic === "more") return selectFurther(draft, gathered);
  // An answer to a later question may repeat a sentence of an earlier one; sections under our own headings may not.
  const used = topic === null ? new Set(sentencesOf(draft.ownSections).map(({ text }) => text)) : shownTexts(draft);
  const evidence = await gathered.findEvidence(query, pool);
  const most = topic === null ? MAX_SELECTED_SENTENCES : MAX_HEADING_SENTENCES;
  const about = topic === null ? undefined : draft.state.tasks.find((task) => task.topic === null)?.query;
  const selection = { query, topic, language: draft.language, most, used };
  return selectEvidence(evidence, about === undefined ? selection : { ...selection, about });
}

/** Passages to learn from where no sentence answers a task. */
const MAX_CLOSE_PASSAGES = 3;

/** The passages that come closest to a task. */
async function findClosePassages(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { query, topic }: ResearchTask,
): Promise<EvidencePassage[]> {
  const evidence = await gathered.findEvidence(query, draft.state.pool);
  const ranked = rankPassages(evidence, { query, topic, language: draft.language, used: new Set() });
  return ranked.slice(0, MAX_CLOSE_PASSAGES);
}

/**
 * Terms of the sentences found so far, or of the closest passages if there are none, to expand the next query of the current
 * task.
 */
export async function learnForTask(
  draft: ResearchDraft,
  gathered: GatheredSources,
  task: ResearchTask,
): Promise<LearnedTerms> {
  const sentences = await selectForTask(draft, gathered, task, { pool: draft.state.pool });
  const known = sentences.length > 0 ? sentences : await findClosePassages(draft, gathered, task);
  const library = new Set(draft.state.sources.filter(({ via }) => via === "library").map(({ n }) => n));
  const outside = known.filter(({ source }) => !library.has(source));
  return { all: learnTerms(known, task.query), outside: learnTerms(outside, task.query) };
}

/**
 * Rewrites the sections from everything that was read, because a later search often finds a better sentence for an
 * earlier section. What a model wrote stays: of its sections, only those without an answer are filled, also if it failed later.
 */
export async function completeSections(draft: ResearchDraft, gathered: GatheredSources): Promise<void> {
  const { state } = draft;
  const isQuoted = state.run.model === null || state.hasModelFailed;
  if (isQuoted) clearSections(draft);
  for (const task of state.tasks) {
    const section = state.sections.find(({ id }) => id === task.id);
    if (!section || section.paragraphs.length > 0) continue;
    const sentences = await selectForTask(draft, gathered, task, { pool: [] });
    const isOwn = task.topic === null;
    const shown = sentences.length > 0 || !isOwn ? sentences : await selectClosest(draft, gathered, task);
    const about = shown.length === 0 ? await explainGap(draft, gathered, task) : {};
    await writeSection(draft, gathered, { ...section, ...about }, shown);
  }
  const sourceOf = new Map(state.citations.map(({ n, source }) => [n, source]));
  for (const section of joinSameHeadings(draft.ownSections, (n) => sourceOf.get(n))) draft.putSection(section);
}

/** Why nothing answers a task: no service was asked, or no passage contains some words of the student's question. */
async function explainGap(
  draft: ResearchDraft,
  gathered: GatheredSources,
  task: ResearchTask,
): Promise<Pick<CanvasSection, "missing" | "notAsked">> {
  const notAsked = findUnaskedLimit(draft, task);
  if (notAsked) return { notAsked };
  const missing = task.topic === null ? await listMissingWords(gathered, task) : [];
  return missing.length > 0 ? { missing } : {};
}

/** The limit for which no service was asked about a task; undefined if one was asked, or none was to be asked. */
function findUnaskedLimit({ state }: ResearchDraft, { id }: ResearchTask): SearchLimit | undefined {
  const searches = state.tools.filter(({ task_id, name }) => task_id === id && name === "search");
  return searches.every(({ notAsked }) => notAsked !== undefined) ? searches[0]?.notAsked : undefined;
}

/** The words of a question that name something, without frequent or vague words. */
const specificWords = (query: string) =>
  [...new Set(wordsOf(contentQuery(query)))].filter((word) => {
    const terms = searchTerms(word);
    return terms.length > 0 && !terms.some(isLowWeightTerm);
  });

/** Words as the student wrote them: "CRISPR-Cas9" is one word. */
const WRITTEN_WORD = /[\p{L}\p{N}]+(?:[-\u2010-\u2015'’][\p{L}\p{N}]+)*/gu;

/** The words of a question that no passage contains. They are shown when the sources have no answer. */
async function listMissingWords(gathered: GatheredSources, { query }: ResearchTask): Promise<string[]> {
  const wanted = searchTerms(query);
  const knownTerms = new Set(
    (await gathered.findEvidence(query)).flatMap(({ context, text }) =>
      withOtherForms(searchTerms(`${context} ${text}`), wanted),
    ),
  );
  const missing = new Set(
    specificWords(query).filter((word) => !searchTerms(word).some((term) => knownTerms.has(term))),
  );
  const byWord = new Map<string, string>();
  for (const written of query.match(WRITTEN_WORD) ?? []) {
    const words = wordsOf(written);
    if (words.some((word) => missing.has(word)) && !byWord.has(words.join(" "))) byWord.set(words.join(" "), written);
  }
  return [...byWord.values()];
}

/** A question with fewer words is too vague for a passage to be close to it. */
const MIN_SPECIFIC_WORDS = 2;

/** If no sentence answers a question, selects the closest sentence of a passage that contains all its words. */
async function selectClosest(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { query, topic }: ResearchTask,
): Promise<EvidenceSentence[]> {
  const wanted = [...new Set(specificWords(query).flatMap(searchTerms))];
  if (wanted.length < MIN_SPECIFIC_WORDS || requiredForm(query) !== undefined) return [];
  const { language } = draft;
  const used = new Set(sentencesOf(draft.ownSections).map(({ text }) => text));
  const close = (await gathered.findEvidence(query)).filter(({ text }) => {
    const terms = new Set(searchTerms(text));
    return wanted.every((term) => terms.has(term));
  });
  const [best] = rankPassages(close, { query, topic, language, used });
  const candidates = best ? toCandidates([best], { language, query, used }) : [];
  const countWanted = ({ terms }: { terms: ReadonlySet<string> }) => wanted.filter((term) => terms.has(term)).length;
  const [first] = candidates
    .filter((candidate) => countWanted(candidate) * 2 >= wanted.length)
    .toSorted((a, b) => countWanted(b) - countWanted(a) || a.preceding.length - b.preceding.length);
  return first ? withPreceding(first, []) : [];
}

/**
 * Empties the sections that this run has quoted and removes their citations; citations of earlier questions and of a model
 * keep their numbers.
 */
function clearSections(draft: ResearchDraft): void {
  const { state } = draft;
  const byModel = new Set(state.writtenByModel);
  const quoted = draft.ownSections.filter(({ id }) => !byModel.has(id));
  const ids = new Set(quoted.map(({ id }) => id));
  const remaining = sentencesOf(state.sections.filter(({ id }) => !ids.has(id))).flatMap(({ cites }) => cites);
  const last = Math.max(0, ...remaining);
  state.citations = state.citations.filter(({ n }) => n <= last);
  for (const section of quoted) draft.putSection({ ...section, paragraphs: [] });
}
