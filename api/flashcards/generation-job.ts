import { createHash } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import { findPassagesAbout } from "#shared/cards/deck/coverage.ts";
import { BLANK, type EngineNotice, type FormPreference } from "#shared/cards/schema.ts";
import { errorOf, reasonOf } from "./source-errors.ts";
import { containsPhrase } from "#shared/text/words.ts";
import { reverseCard } from "#shared/flashcards/card-builders.ts";
import { chooseSection } from "#shared/flashcards/section-line.ts";
import type { FileProcessed, Flashcard, GenerationEvent, GenerationOptions } from "#shared/flashcards/schema.ts";
import { computeCoverage } from "#api/ai/builtin/compute-coverage.ts";
import { countCallsForFile } from "#api/ai/call-purpose.ts";
import type { CardEvent, Model, ProposedCard } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { forgetCardOutcomes, readFormPreference } from "#api/store/figures/card-outcomes.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { getPreferences } from "#api/user/service.ts";
import { appendCards } from "#api/pages/create/append-cards.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { batchByTime } from "./batches.ts";
import { GenerationCounts } from "./count-generation.ts";
import type { GenerationCheckpoint, GenerationInput, PendingCard } from "./generation.ts";
import {
  citationOfCard,
  toDeckSource,
  reportSources,
  type ReadSources,
  readSources,
  headingsByPassage,
  sourceIndexOf,
} from "./read-sources.ts";
import { OtherDeckCards } from "./other-deck-cards.ts";
import { removeSourceTexts, saveCoverage } from "./store.ts";

type WithoutSeq<E> = E extends unknown ? Omit<E, "seq"> : never;
type UnnumberedEvent = WithoutSeq<GenerationEvent>;
/** A card in the event log; the contract strips the internal `source` and `passageId`. */
type LoggedCard = Extract<UnnumberedEvent, { type: "card" }> & { source: number; passageId?: string };

const BATCH_MS = 250;
const BATCH_CARDS = 5;
const HEARTBEAT_MS = 20_000;

/** Deterministic, so that a run resumed after a crash adds no card twice. */
function cardId(jobKey: string, card: ProposedCard): string {
  const hash = createHash("sha256").update(JSON.stringify([jobKey, card.question, card.answer]));
  return hash.digest("base64url").slice(0, 26);
}

/** One run of a generation job, continuing where the previous run stopped. */
class GenerationRun {
  readonly #deps: Deps;
  readonly #run: JobRun;
  readonly #own: Own;
  readonly #input: GenerationInput;
  readonly #made: PendingCard[] = [];
  readonly #ids = new Set<string>();
  readonly #notices = new Set<EngineNotice>();
  readonly #library: OtherDeckCards | undefined;
  readonly #counts: GenerationCounts;
  #done: number;
  #formPreference: FormPreference | undefined;
  #total = 1;
  #pending: readonly PendingCard[] = [];
  #headings: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(deps: Deps, run: JobRun) {
    this.#deps = deps;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as GenerationInput;
    this.#counts = new GenerationCounts(run.job);
    this.#done = this.#checkpoint?.done ?? 0;
    this.#formPreference = this.#checkpoint?.formPreference ?? this.#checkpoint?.taste;
    const deckId = this.#input.options.target?.componentId;
    this.#library = deckId === undefined ? undefined : new OtherDeckCards(this.#own, deckId);
  }

  async work(): Promise<void> {
    if (await this.#restoreFromLog()) return;
    const { sources, options } = this.#input;
    const model = await this.#requireModel();
    this.#counts.model = model.info.id;
    for (const source of sources) if (source.kind === "pdf") countCallsForFile(source.fileId);
    model.prepare?.();
    const read = await readSources({ ...this.#deps, own: this.#own, signal: this.#run.signal }, sources);
    this.#headings = headingsByPassage(read.passages);
    let failure: Failure | undefined;
    try {
      const events = await this.#startEngine(model, read);
      const isFull = (batch: readonly unknown[]) => batch.length >= BATCH_CARDS;
      for await (const batch of batchByTime(events, { maxMs: BATCH_MS, maxSilenceMs: HEARTBEAT_MS, isFull }))
        await (batch.length > 0 ? this.#processBatch(batch) : this.#emitWaiting());
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      // Deleting the deck stops the generation; restoring the deck lets it resume.
      if (error.code === "not_found" && options.target) return this.#stop();
      failure = error;
    }
    await this.#finish(read, failure);
  }

  async #stop(): Promise<void> {
    const { ownerId, _id } = this.#run.job;
    await this.#deps.jobs.cancel(ownerId, _id);
  }

  get #checkpoint(): GenerationCheckpoint | null {
    return this.#run.job.checkpoint as GenerationCheckpoint | null;
  }

  /** Restores cards from the event log and delivers the pending ones. True if the result was already logged. */
  async #restoreFromLog(): Promise<boolean> {
    const { job, signal } = this.#run;
    let isResultLogged = false;
    if (job.lastSeq > 0)
      for await (const { seq, event } of this.#deps.jobs.follow(job.ownerId, job._id, 0, signal)) {
        if (event["type"] === "card") this.#addMade(toPendingCard(event as unknown as LoggedCard));
        isResultLogged = event["type"] === "result";
        if (seq >= job.lastSeq) break;
      }
    const pending = this.#checkpoint?.pending ?? [];
    if (pending.length > 0) await this.#deliver(pending, []);
    return isResultLogged;
  }

  #addMade(card: PendingCard) {
    this.#made.push(card);
    this.#ids.add(card.id);
  }

  async #requireModel(): Promise<Model> {
    const model = await this.#deps.models.choose(this.#input.options.model);
    if (model) return model;
    const failure = new Failure("model_unavailable", "model_gone");
    await this.#emit([{ type: "error", ...failure.toEventFields() }]);
    throw failure;
  }

  async #startEngine(model: Model, { passages }: ReadSources): Promise<AsyncGenerator<CardEvent>> {
    const { options } = this.#input;
    const deck = options.target ? await findComponent(this.#own, options.target.componentId) : undefined;
    const cards = deck?.type === "flash_cards" ? deck.content.cards : [];
    this.#formPreference ??= await this.#readFormPreference();
    return model.generateCards({
      passages: options.focus ? findPassagesAbout(passages, options.focus) : passages,
      options,
      existing: cards.filter((card) => !this.#ids.has(card.id)),
      // Reversed cards state nothing new, so give the engine each fact once.
      generatedCards: this.#made.filter(({ pair }) => pair?.isReversed !== true),
      startAt: this.#done,
      formPreference: this.#formPreference,
      ownerId: this.#run.job.ownerId,
      signal: this.#run.signal,
    });
  }

  /** Ignores what happened after the job was created, because the student may edit the first cards meanwhile. */
  async #readFormPreference(): Promise<FormPreference> {
    if ((await getPreferences(this.#own)).flashcards.learn_from_edits)
      return readFormPreference(this.#own, this.#run.job.createdAt);
    await forgetCardOutcomes(this.#own);
    return {};
  }

  async #processBatch(batch: readonly CardEvent[]): Promise<void> {
    const newCards: PendingCard[] = [];
    const emitted: UnnumberedEvent[] = [];
    for (const event of batch) {
      this.#counts.countEvent(event, this.#deps.clock.now());
      if (event.type === "card") await this.#accept(event.card, newCards);
      if (event.type === "notice") this.#notices.add(event.notice);
      if (event.type === "progress") {
        this.#done = event.done;
        this.#total = event.total;
        emitted[0] = event;
      }
    }
    await this.#deliver(newCards, emitted);
  }

  /** Shows that a slow model is alive, because clients time out after a period without data. */
  #emitWaiting(): Promise<void> {
    return this.#emit([{ type: "progress", done: this.#done, total: this.#total, stage: "waiting" }]);
  }

  async #accept(card: ProposedCard, newCards: PendingCard[]): Promise<void> {
    const id = cardId(this.#run.job._id, card);
    const source = this.#input.sources[sourceIndexOf(card.passageId)];
    if (!source || this.#ids.has(id) || newCards.some((newCard) => newCard.id === id)) return;
    if (!isInFocus(card, this.#input.options)) return;
    if (await this.#library?.hasCard(card)) {
      this.#notices.add("already_in_library");
      return;
    }
    const citation = citationOfCard(card, source, this.#input.options);
    const { question, answer, passageId } = card;
    const section = chooseSection(question, this.#headings.get(passageId) ?? []);
    const made: PendingCard = { id, question, answer, citation, source: sourceIndexOf(passageId), passageId, section };
    newCards.push(...(this.#input.options.reversed === true ? withReverse(made) : [made]));
  }

  /**
   * Checkpoint, append to the deck, log the events: a crash between any two steps neither loses nor duplicates a card.
   */
  async #deliver(cards: readonly PendingCard[], emitted: readonly UnnumberedEvent[]): Promise<void> {
    if (cards.length === 0 && emitted.length === 0) return;
    const { target } = this.#input.options;
    let deckVersion: { deckVersion: number } | undefined;
    if (target && cards.length > 0) {
      this.#pending = cards;
      await this.#run.emit([], this.#makeCheckpoint());
      const { version } = await appendCards(this.#own, target.componentId, cards.map(toFlashcard), {
        generationId: this.#run.job._id,
        now: this.#deps.clock.now(),
      });
      deckVersion = { deckVersion: version };
    }
    for (const card of cards) this.#addMade(card);
    const events = cards.map((card): LoggedCard => {
      const { source, passageId } = card;
      return { type: "card", card: toFlashcard(card), source, ...(passageId ? { passageId } : {}), ...deckVersion };
    });
    this.#pending = [];
    await this.#emit([...events, ...emitted]);
  }

  /** Every event is written with a checkpoint, from which a resumed run continues. */
  #emit(events: readonly (UnnumberedEvent | LoggedCard)[]): Promise<void> {
    return this.#run.emit(events, this.#makeCheckpoint());
  }

  #makeCheckpoint(): GenerationCheckpoint {
    return {
      done: this.#done,
      cardCount: this.#made.length,
      pending: [...this.#pending],
      formPreference: this.#formPreference ?? {},
    };
  }

  async #finish(read: ReadSources, engineFailure: Failure | undefined): Promise<void> {
    const filesProcessed = this.#reportFiles(read, engineFailure);
    await this.#counts.save(this.#deps.store, this.#deps.clock.now(), this.#made);
    if (this.#made.length === 0) {
      const reason = this.#notices.has("already_in_library") ? "all_cards_known" : "no_cards_made";
      const failure = engineFailure ?? new Failure("bad_input", reason);
      await this.#emit([{ type: "error", ...failure.toEventFields(), data: { filesProcessed } }]);
      throw failure;
    }
    await this.#saveCoverageMap(read);
    const result = {
      cards: this.#made.map(toFlashcard),
      totalCards: this.#made.length,
      filesProcessed,
      notices: [...this.#notices],
    };
    await this.#emit([{ type: "result", result }]);
  }

  /** Stores the coverage; a failure here does not fail the generation. */
  async #saveCoverageMap({ passages }: ReadSources): Promise<void> {
    const { options, sources } = this.#input;
    if (!options.target || options.focus) return;
    const cards = this.#made.map(({ id, question, answer, passageId = "" }) => ({ id, question, answer, passageId }));
    try {
      const entries = await computeCoverage(passages, cards, this.#run.signal);
      await saveCoverage(this.#own, {
        _id: this.#run.job._id,
        deckId: options.target.componentId,
        createdAt: this.#deps.clock.now(),
        sources: sources.map(toDeckSource),
        entries,
      });
    } catch (error) {
      this.#run.signal.throwIfAborted();
      this.#deps.log.warn({ err: error }, "coverage could not be saved");
    }
  }

  #reportFiles({ faults }: ReadSources, failure: Failure | undefined): FileProcessed[] {
    const counts = new Map<number, number>();
    for (const { source } of this.#made) counts.set(source, (counts.get(source) ?? 0) + 1);
    const read = reportSources(this.#input.sources, faults, counts);
    if (failure)
      for (const file of read)
        if (file.error === null) Object.assign(file, errorOf([reasonOf(failure), { reason: "not_everything_read" }]));
    return [...read, ...this.#input.refused];
  }
}

/** A passage about a term also mentions other terms, so keep only cards that name the focus term. */
const isInFocus = ({ question, answer, quote }: ProposedCard, { focus }: GenerationOptions) =>
  focus?.kind !== "term" || containsPhrase(`${question} . ${answer} . ${quote}`, focus.label);

/** The card, plus its reverse if it asks for a name or a definition. */
function withReverse(card: PendingCard): PendingCard[] {
  const reversedCard = reverseCard(card);
  if (!reversedCard) return [card];
  const groupId = card.id;
  const id = `${card.id.slice(0, 24)}-r`;
  return [
    { ...card, pair: { groupId, isReversed: false } },
    { ...card, ...reversedCard, id, pair: { groupId, isReversed: true } },
  ];
}

const toFlashcard = ({ id, question, answer, citation, section, pair }: PendingCard): Flashcard => ({
  id,
  question,
  answer,
  questionImage: null,
  citation,
  ...(section === undefined ? {} : { section }),
  ...(question.includes(BLANK) ? { kind: "cloze" as const } : {}),
  ...(pair ? { groupId: pair.groupId, ...(pair.isReversed ? { isReversed: true } : {}) } : {}),
});

const toPendingCard = ({ card, source, passageId }: LoggedCard): PendingCard => {
  const { id, question, answer, citation, section, groupId, isReversed } = card;
  const pair = groupId === undefined ? undefined : { groupId, isReversed: isReversed === true };
  return { id, question, answer, citation, source, passageId, section, pair };
};

/** Generates the cards of one job; a resumed run continues where the last one stopped. */
export async function runGeneration(deps: Deps, run: JobRun): Promise<void> {
  const { ownerId, _id } = run.job;
  try {
    await new GenerationRun(deps, run).work();
  } finally {
    // Keep the texts after a shutdown or cancellation, because the generation may be resumed.
    if (!run.signal.aborted) await removeSourceTexts(ownedBy(deps.store, ownerId), _id);
  }
}
