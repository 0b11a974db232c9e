import { durationBucketKey, rejectedSumKey } from "#shared/admin/figures.ts";
import { cardForm } from "#shared/cards/features/card-form.ts";
import type { CardEvent } from "#api/ai/port.ts";
import { recordStep } from "#api/store/figures/activity.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { rememberMadeCards } from "#api/store/figures/card-outcomes.ts";
import { recordGeneratedCards } from "#api/store/figures/made-cards.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { getPreferences } from "#api/user/service.ts";
import type { GenerationInput, Source } from "./generation.ts";

function kindOfSources(sources: readonly Source[]): Source["kind"] | "mixed" {
  const [first, ...others] = new Set(sources.map(({ kind }) => kind));
  return first === undefined || others.length > 0 ? "mixed" : first;
}

/** The figures of one generation; a repeated run replaces them. */
export class GenerationCounts {
  model = "none";
  #firstCardMs: number | undefined;
  readonly #rejected: Record<string, number> = {};
  readonly #job: Job;

  constructor(job: Job) {
    this.#job = job;
  }

  countEvent(event: CardEvent, now: number): void {
    if (event.type === "card") this.#firstCardMs ??= now - this.#job.createdAt;
    if (event.type !== "gates") return;
    for (const [gate, count] of Object.entries(event.rejected)) this.#rejected[rejectedSumKey(gate)] = count;
  }

  async save(store: DocumentStore, now: number, made: readonly { id: string; question: string }[]): Promise<void> {
    const own = ownedBy(store, this.#job.ownerId);
    const cards = made.length;
    const first = this.#firstCardMs === undefined ? {} : { [durationBucketKey(this.#firstCardMs)]: 1 };
    const sums = { generations: 1, cards, failed: cards === 0 ? 1 : 0, ...this.#rejected, ...first };
    const input = this.#job.input as GenerationInput;
    const dims = { model: this.model, version: programVersion, source: kindOfSources(input.sources) };
    await recordFigure(own, { figure: "generations", id: this.#job._id, at: now, dims, sums });
    if (cards === 0) return;
    await recordStep(own, "card");
    const deckId = input.options.target?.componentId;
    const { _id: generationId, createdAt } = this.#job;
    const cardIds = made.map(({ id }) => id);
    if (deckId === undefined) return;
    const questions = made.map(({ question }) => question);
    const isLearning = (await getPreferences(own)).flashcards.learn_from_edits;
    const forms = isLearning ? { forms: questions.map(cardForm) } : {};
    await recordGeneratedCards(own, { generationId, deckId, createdAt, dims, cardIds, ...forms });
    if (isLearning) await rememberMadeCards(own, { generationId, questions, at: createdAt });
  }
}
