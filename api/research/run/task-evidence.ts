import { sentencesOf } from "#shared/research/canvas.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import { type EvidenceSentence, learnTerms, selectEvidence } from "#shared/research/evidence/select-sentences.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { LearnedTerms, PooledPassage, ResearchDraft } from "./run-state.ts";
import { MAX_SECTION_SENTENCES } from "./task-writer.ts";
import { addToSection } from "./write-section.ts";

/** The sentences read so far that answer a task and are not on the canvas yet. */
export async function selectForTask(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { query, topic }: ResearchTask,
  { pool, most = MAX_SECTION_SENTENCES }: { pool: readonly PooledPassage[]; most?: number },
): Promise<EvidenceSentence[]> {
  const used = new Set(sentencesOf(draft.ownSections).map(({ text }) => text));
  const evidence = await gathered.findEvidence(query, pool);
  return selectEvidence(evidence, { query, topic, language: draft.language, most, used });
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

/** Our own headings are filled before the student's questions, which any sentence on the subject fits. */
const fillOrder = ({ topic }: ResearchTask) => (topic === "more" ? 2 : topic === null ? 1 : 0);

/**
 * Adds to each section what was read for the sections after it. Where a model wrote, only sections without any answer
 * are filled.
 */
export async function completeSections(draft: ResearchDraft, gathered: GatheredSources): Promise<void> {
  const hasModel = draft.state.run.model !== null && !draft.state.hasModelFailed;
  for (const task of draft.state.tasks.toSorted((a, b) => fillOrder(a) - fillOrder(b))) {
    const section = draft.state.sections.find(({ id }) => id === task.id);
    const size = section?.paragraphs.flat().length ?? 0;
    if (!section || size >= MAX_SECTION_SENTENCES || (hasModel && size > 0)) continue;
    const more = await selectForTask(draft, gathered, task, { pool: [], most: MAX_SECTION_SENTENCES - size });
    if (more.length > 0) await addToSection(draft, gathered, section, more);
  }
}

