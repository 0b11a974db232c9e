import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { EngineNotice } from "#shared/cards/schema.ts";
import type {
  FileProcessed,
  Flashcard,
  GenerationEvent,
  GenerationOptions,
  GenerationResult,
  GenerationStatus,
} from "#shared/flashcards/schema.ts";
import { t, translateAll, translateSent } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { dueAtom } from "#webapp/study/due.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import type { PagePort } from "#webapp/pages/page-port.tsx";
import { store } from "#webapp/app/store.ts";

const makeId = monotonicFactory();
export const newCardId = () => makeId();

/** A card generation run, with what its deck shows. */
export interface GenerationRun {
  jobId: string;
  status: "waiting" | "running" | "done" | "failed" | "stopped";
  cardCount: number;
  done: number;
  total: number;
  /** A readable error message. */
  message: string | null;
  /** The engine's notices about limitations with these sources. */
  notices: readonly EngineNotice[];
  /** The sources that produced no cards, each with the reason. */
  sourceErrors: readonly string[];
}

const runsAtom = atom<Readonly<Record<string, GenerationRun>>>({});
export const createRunAtom = (componentId: string) => atom((get) => get(runsAtom)[componentId]);
/** Whether cards are being made for a deck. */
export const createIsMakingAtom = (componentId: string) => atom((get) => !hasEnded(get(runsAtom)[componentId]));
/** The number of due cards in a deck; 0 while unknown. */
export const createDueAtom = (componentId: string) =>
  atom((get) => {
    const due = get(dueAtom);
    return due.state === "ready" ? (due.decks.find((deck) => deck.componentId === componentId)?.due ?? 0) : 0;
  });

export interface CardRequest {
  texts?: (string | { text: string; pageId: string; componentId: string })[];
  pdfComponents?: { componentId: string; startPage?: number; endPage?: number }[];
  videoComponents?: { componentId: string }[];
  options: Pick<GenerationOptions, "density" | "customInstructions" | "language" | "focus" | "reversed">;
}

function setRun(componentId: string, change: Partial<GenerationRun>): void {
  store.set(runsAtom, (runs) => {
    const run = runs[componentId];
    return run ? { ...runs, [componentId]: { ...run, ...change } } : runs;
  });
}

const hasEnded = (run: GenerationRun | undefined) =>
  !run || run.status === "done" || run.status === "failed" || run.status === "stopped";

const listSourceErrors = (files: readonly FileProcessed[]) =>
  files.flatMap(({ source, error, reasons = [] }) =>
    error === null ? [] : [`${source}: ${translateAll(error, reasons)}`],
  );

/** Updates are throttled, because cards can arrive faster than the page needs to render them. */
const RENDER_INTERVAL_MS = 120;
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 15_000;

const isNotFound = (error: unknown) => error instanceof Failure && error.code === "not_found";
const isTransient = (error: unknown) =>
  (error instanceof NoResponseError && error.reason !== "aborted") || (error instanceof Failure && error.status >= 502);

/** The open page of each deck. It is looked up for every update, because the page that started a run may be closed. */
const pagePorts = new Map<string, PagePort>();

/** Applies the events of one job to its deck until the job ends. Reconnects after lost connections and restarts. */
class RunFollower {
  readonly #componentId: string;
  readonly #jobId: string;
  #seq = 0;
  #cards: Flashcard[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(componentId: string, jobId: string) {
    this.#componentId = componentId;
    this.#jobId = jobId;
  }

  /** Called when a newer follower takes over. Later events are ignored, so that no card is counted twice. */
  stop(): void {
    this.#isStopped = true;
  }

  /** `begin` starts the job. Once the job has started, or without `begin`, its events are followed. */
  async read(begin: (() => AsyncIterable<GenerationEvent>) | undefined): Promise<void> {
    let shouldStart = begin !== undefined;
    let waitMs = MIN_RETRY_DELAY_MS;
    for (;;) {
      const seqBefore = this.#seq;
      const problem = await this.#readEvents(shouldStart && begin ? begin() : this.#followEvents());
      // If the server does not know the job, the job never started, so it is started again under the same id.
      const isUnknownJob = begin !== undefined && !shouldStart && isNotFound(problem);
      if (!isUnknownJob) this.#failIfPermanent(problem);
      if (this.#isStopped || hasEnded(this.#run())) break;
      shouldStart = isUnknownJob || (shouldStart && this.#seq === 0);
      waitMs = this.#seq > seqBefore ? MIN_RETRY_DELAY_MS : Math.min(waitMs * 2, MAX_RETRY_DELAY_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    this.#flushCards();
  }

  #failIfPermanent(problem: unknown): void {
    if (problem !== undefined && !isTransient(problem)) this.#fail(problem);
  }

  #followEvents() {
    return client.flashcards.followGeneration({ jobId: this.#jobId, after: this.#seq });
  }

  /** Returns the error that ended the stream early, or undefined. */
  async #readEvents(events: AsyncIterable<GenerationEvent>): Promise<unknown> {
    try {
      for await (const event of events) {
        if (this.#isStopped) return undefined;
        this.#applyEvent(event);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #run() {
    return store.get(runsAtom)[this.#componentId];
  }

  #applyEvent(event: GenerationEvent): void {
    this.#seq = Math.max(this.#seq, event.seq);
    switch (event.type) {
      case "started":
        return setRun(this.#componentId, { status: "running" });
      case "card":
        this.#cards.push(event.card);
        this.#timer ??= setTimeout(() => this.#flushCards(), RENDER_INTERVAL_MS);
        return setRun(this.#componentId, { status: "running", cardCount: (this.#run()?.cardCount ?? 0) + 1 });
      case "progress":
        return setRun(this.#componentId, { status: "running", done: event.done, total: event.total });
      case "result":
        return this.#finish(event.result);
      case "error": {
        this.#flushCards();
        const isStopped = event.code === "cancelled";
        return setRun(this.#componentId, {
          status: isStopped ? "stopped" : "failed",
          message: isStopped ? null : event.message,
        });
      }
      default:
        return event satisfies never;
    }
  }

  #finish({ totalCards, filesProcessed, notices }: GenerationResult): void {
    this.#flushCards();
    void this.#reloadDeck();
    const sourceErrors = listSourceErrors(filesProcessed);
    const limited = filesProcessed.find((file) => file.openPlanModal);
    if (limited) openPlanModal(limited.error, "pdfToFlashcardsPages");
    const isEmpty = totalCards === 0;
    const message = isEmpty ? (sourceErrors[0] ?? t("flashcards.nothing")) : null;
    setRun(this.#componentId, { status: isEmpty ? "failed" : "done", message, notices, sourceErrors });
  }

  #flushCards(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pagePort = pagePorts.get(this.#componentId);
    const content = pagePort?.getContent(this.#componentId);
    if (!pagePort || !content || this.#cards.length === 0) return;
    const currentCards = (content["cards"] ?? []) as Flashcard[];
    const ids = new Set(currentCards.map((card) => card.id));
    const newCards = this.#cards.filter((card) => !ids.has(card.id));
    this.#cards = [];
    if (newCards.length === 0) return;
    // Without a version, because this deck may lack cards that the server's deck of that version has.
    pagePort.receive(this.#componentId, { ...content, cards: [...currentCards, ...newCards] }, undefined);
  }

  /** Reloads the deck at the end, because cards that were made while its page was closed are missing here. */
  async #reloadDeck(): Promise<void> {
    try {
      const { component } = await client.pages.getComponent({ id: this.#componentId });
      pagePorts.get(this.#componentId)?.receive(component._id, component.content, component.version);
    } catch (error) {
      if (!(error instanceof Failure) && !(error instanceof NoResponseError)) throw error;
    }
  }

  #fail(error: unknown): void {
    this.#flushCards();
    const failure = toFailureMessage(error, "flashcards");
    setRun(this.#componentId, { status: "failed", message: failure?.message ?? null });
  }
}

const followers = new Map<string, RunFollower>();

/** Replaces the current follower of a deck, so that each deck has only one. */
function replaceFollower(componentId: string, jobId: string): RunFollower {
  followers.get(componentId)?.stop();
  const follower = new RunFollower(componentId, jobId);
  followers.set(componentId, follower);
  return follower;
}

function beginRun(componentId: string, run: Pick<GenerationRun, "jobId" | "status" | "cardCount">): void {
  store.set(runsAtom, (runs) => ({
    ...runs,
    [componentId]: { done: 0, total: 0, message: null, notices: [], sourceErrors: [], ...run },
  }));
}

/** Starts generating cards into an existing deck and follows the job to its end. */
export async function makeCards(pagePort: PagePort, componentId: string, request: CardRequest): Promise<void> {
  const jobId = makeId();
  pagePorts.set(componentId, pagePort);
  beginRun(componentId, { jobId, status: "waiting", cardCount: 0 });
  const target = { pageId: pagePort.pageId, componentId };
  const input = { ...request, options: { ...request.options, target, jobId } };
  await replaceFollower(componentId, jobId).read(() => client.flashcards.generateCards.stream(input, []));
}

/** Outcomes that were dismissed in this browser. */
const DISMISSED_KEY = "lamplight_runs_put_away";
const MAX_DISMISSED = 50;
const readDismissed = () => (readLocal(DISMISSED_KEY) ?? "").split(" ");

/** Shows how a run ended while the page was closed, if it was stopped or failed, or if sources produced no cards. */
function showOutcome(componentId: string, last: GenerationStatus | undefined): void {
  if (!last || store.get(runsAtom)[componentId] || readDismissed().includes(last.jobId)) return;
  const { jobId, cardCount, outcome } = last;
  const sourceErrors = listSourceErrors(outcome?.filesProcessed ?? []);
  if (last.status === "cancelled") beginRun(componentId, { jobId, status: "stopped", cardCount });
  else if (last.status === "failed" || sourceErrors.length > 0) {
    beginRun(componentId, { jobId, status: last.status === "failed" ? "failed" : "done", cardCount });
    setRun(componentId, { sourceErrors, message: outcome?.message ? translateSent(outcome.message, outcome) : null });
  }
}

/** Follows a deck's run if it is still active, or else shows the outcome of the last run. */
export async function resumeRun(pagePort: PagePort, componentId: string): Promise<void> {
  pagePorts.set(componentId, pagePort);
  if (!hasEnded(store.get(runsAtom)[componentId])) return;
  try {
    const { generations } = await client.flashcards.listGenerations({ componentId });
    if (!hasEnded(store.get(runsAtom)[componentId])) return;
    const active = generations.find(({ status }) => status === "waiting" || status === "running");
    if (!active) return showOutcome(componentId, generations.at(-1));
    const { jobId, status } = active;
    beginRun(componentId, { jobId, status: status === "waiting" ? "waiting" : "running", cardCount: 0 });
    await replaceFollower(componentId, jobId).read(undefined);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoResponseError)) throw error;
  }
}

/** Stops a run. The cards made so far stay in the deck. */
export async function stopRun(componentId: string): Promise<void> {
  const run = store.get(runsAtom)[componentId];
  if (hasEnded(run) || !run) return;
  try {
    await client.flashcards.cancelGeneration({ jobId: run.jobId });
    setRun(componentId, { status: "stopped" });
  } catch (error) {
    const message = toFailureMessage(error, "flashcards")?.message;
    if (message !== undefined) setRun(componentId, { message });
  }
}

/** Resumes a stopped run. New cards are added after the existing cards. */
export async function continueRun(componentId: string): Promise<void> {
  const run = store.get(runsAtom)[componentId];
  if (run?.status !== "stopped") return;
  try {
    const { jobId } = await client.flashcards.resumeGeneration({ jobId: run.jobId });
    beginRun(componentId, { jobId, status: "waiting", cardCount: 0 });
    await replaceFollower(componentId, jobId).read(undefined);
  } catch (error) {
    const message = toFailureMessage(error, "flashcards")?.message;
    if (message !== undefined) notify({ type: "error", message });
  }
}

export function dismissRun(componentId: string): void {
  const { jobId } = store.get(runsAtom)[componentId] ?? {};
  if (jobId !== undefined) writeLocal(DISMISSED_KEY, [jobId, ...readDismissed()].slice(0, MAX_DISMISSED).join(" "));
  store.set(runsAtom, (runs) => Object.fromEntries(Object.entries(runs).filter(([id]) => id !== componentId)));
}
