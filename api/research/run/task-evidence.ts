import { sentencesOf } from "#shared/research/canvas.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import { learnTerms } from "#shared/research/evidence/learn-terms.ts";
import type { EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import { selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { LearnedTerms, PooledPassage, ResearchDraft } from "./run-state.ts";
import { MAX_SECTION_SENTENCES } from "./task-writer.ts";
import { writeSection } from "./write-section.ts";

/** Sentences under a heading that the student did not ask for, at most. */
const MAX_HEADING_SENTENCES = 3;

/** What else answers the student's own questions: as good as what stands under them, where there was no room. */
async function selectFurther(draft: ResearchDraft, gathered: GatheredSources): Promise<EvidenceSentence[]> {
  const used = new Set(sentencesOf(draft.ownSections).map(({ text }) => text));
  const further: EvidenceSentence[] = [];
  for (const { query, topic } of draft.state.tasks.filter((task) => task.topic === null)) {
    const selection = { query, topic, language: draft.language, most: MAX_SECTION_SENTENCES, used, isFurther: true };
    const found = selectEvidence(await gathered.findEvidence(query), selection);
    further.push(...found);
    for (const { text } of found) used.add(text);
  }
  return further.toSorted((a, b) => b.score - a.score).slice(0, MAX_SECTION_SENTENCES);
}

/** The sentences read so far that answer a task and are not on the canvas yet. */
export async function selectForTask(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { query, topic }: ResearchTask,
  { pool }: { pool: readonly PooledPassage[] },
): Promise<EvidenceSentence[]> {
  if (topic === "more") return selectFurther(draft, gathered);
  const used = new Set(sentencesOf(draft.ownSections).map(({ text }) => text));
  const evidence = await gathered.findEvidence(query, pool);
  const most = topic === null ? MAX_SECTION_SENTENCES : MAX_HEADING_SENTENCES;
  const about = topic === null ? undefined : draft.state.tasks.find((task) => task.topic === null)?.query;
  const selection = { query, topic, language: draft.language, most, used };
  return selectEvidence(evidence, about === undefined ? selection : { ...selection, about });
}

/** The words that what was found adds to the next query of the current task. */
export async function learnForTask(
  draft: ResearchDraft,
  gathered: GatheredSources,
  task: ResearchTask,
): Promise<LearnedTerms> {
  const known = await selectForTask(draft, gathered, task, { pool: draft.state.pool });
  const library = new Set(draft.state.sources.filter(({ via }) => via === "library").map(({ n }) => n));
  const outside = known.filter(({ source }) => !library.has(source));
  return { all: learnTerms(known, task.query), outside: learnTerms(outside, task.query) };
}

/**
 * Writes the sections again from everything that was read, because a later search often finds the better sentence for an
 * earlier part. Where a model wrote, only sections without any answer are filled.
 */
export async function completeSections(draft: ResearchDraft, gathered: GatheredSources): Promise<void> {
  const { state } = draft;
  const isQuoted = state.run.model === null || state.hasModelFailed;
  if (isQuoted) clearSections(draft);
  for (const task of state.tasks) {
    const section = state.sections.find(({ id }) => id === task.id);
    if (!section || section.paragraphs.length > 0) continue;
    await writeSection(draft, gathered, section, await selectForTask(draft, gathered, task, { pool: [] }));
  }
}

/** Empties the sections of this run, with their citations: numbers of earlier questions stay. */
function clearSections(draft: ResearchDraft): void {
  const { state } = draft;
  const own = new Set(state.tasks.map(({ id }) => id));
  const earlier = sentencesOf(state.sections.filter(({ id }) => !own.has(id))).flatMap(({ cites }) => cites);
  const last = Math.max(0, ...earlier);
  state.citations = state.citations.filter(({ n }) => n <= last);
  for (const section of draft.ownSections) draft.putSection({ ...section, paragraphs: [] });
}
