import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { EngineNotice } from "#shared/engine/schema.ts";
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
import { readLocal, writeLocal } from "#webapp/app/browser/local.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import type { PageDoor } from "#webapp/pages/page-door.tsx";
import { store } from "#webapp/app/store.ts";

const makeId = monotonicFactory();
export const newCardId = () => makeId();

/** A card generation run, as its deck shows it. */
export interface Run {
  jobId: string;
  status: "waiting" | "running" | "done" | "failed" | "stopped";
  cardCount: number;
  done: number;
  total: number;
  /** A readable error message. */
  message: string | null;
  /** What the engine could not do for these sources. */
  notices: readonly EngineNotice[];
  /** Sources that gave no cards, each with the reason. */
  faults: readonly string[];
}

const runsAtom = atom<Readonly<Record<string, Run>>>({});
export const runOfAtom = (componentId: string) => atom((get) => get(runsAtom)[componentId]);
/** The number of due cards in a deck; 0 while unknown. */
export const dueOfAtom = (componentId: string) =>
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

function setRun(componentId: string, change: Partial<Run>): void {
  store.set(runsAtom, (runs) => {
    const run = runs[componentId];
    return run ? { ...runs, [componentId]: { ...run, ...change } } : runs;
  });
}

const isOver = (run: Run | undefined) =>
  !run || run.status === "done" || run.status === "failed" || run.status === "stopped";

const faultsOf = (files: readonly FileProcessed[]) =>
  files.flatMap(({ source, error, reasons = [] }) =>
    error === null ? [] : [`${source}: ${translateAll(error, reasons)}`],
  );

/** Cards arrive faster than the page needs to render: updates are throttled. */
const SHOW_EVERY_MS = 120;
const RETRY_FIRST_MS = 1000;
const RETRY_LONGEST_MS = 15_000;

const isNotFound = (error: unknown) => error instanceof Failure && error.code === "not_found";
const willPass = (error: unknown) =>
  (error instanceof NoAnswer && error.reason !== "aborted") || (error instanceof Failure && error.status >= 502);

/** The open page of each deck; the page that started a run may have been closed since. */
const doors = new Map<string, PageDoor>();

/** Applies the events of one job to its deck until it ends; reconnects after lost connections and server restarts. */
class Follower {
  readonly #componentId: string;
  readonly #jobId: string;
  #seq = 0;
  #cards: Flashcard[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLeft = false;

  constructor(componentId: string, jobId: string) {
    this.#componentId = componentId;
    this.#jobId = jobId;
  }

  /** A newer follower has taken over; later events are ignored, so that nothing is counted twice. */
  leave(): void {
    this.#isLeft = true;
  }

  /** `begin` starts the job; once it has started (or without it), the events of the existing job are read. */
  async read(begin: (() => AsyncIterable<GenerationEvent>) | undefined): Promise<void> {
    let asksAnew = begin !== undefined;
    let waitMs = RETRY_FIRST_MS;
    for (;;) {
      const seqBefore = this.#seq;
      const problem = await this.#readOnce(asksAnew && begin ? begin() : this.#rest());
      // The server does not know the job, so it never started: start it again under the same id.
      const isUnknown = begin !== undefined && !asksAnew && isNotFound(problem);
      if (!isUnknown) this.#judge(problem);
      if (this.#isLeft || isOver(this.#run())) break;
      asksAnew = isUnknown || (asksAnew && this.#seq === 0);
      waitMs = this.#seq > seqBefore ? RETRY_FIRST_MS : Math.min(waitMs * 2, RETRY_LONGEST_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    this.#show();
  }

  #judge(problem: unknown): void {
    if (problem !== undefined && !willPass(problem)) this.#fail(problem);
  }

  #rest() {
    return client.flashcards.followGeneration({ jobId: this.#jobId, after: this.#seq });
  }

  /** Returns the error that ended the stream early, or undefined. */
  async #readOnce(events: AsyncIterable<GenerationEvent>): Promise<unknown> {
    try {
      for await (const event of events) {
        if (this.#isLeft) return undefined;
        this.#take(event);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #run() {
    return store.get(runsAtom)[this.#componentId];
  }

  #take(event: GenerationEvent): void {
    this.#seq = Math.max(this.#seq, event.seq);
    switch (event.type) {
      case "started":
        return setRun(this.#componentId, { status: "running" });
      case "card":
        this.#cards.push(event.card);
        this.#timer ??= setTimeout(() => this.#show(), SHOW_EVERY_MS);
        return setRun(this.#componentId, { status: "running", cardCount: (this.#run()?.cardCount ?? 0) + 1 });
      case "progress":
        return setRun(this.#componentId, { status: "running", done: event.done, total: event.total });
      case "result":
        return this.#finish(event.result);
      case "error": {
        this.#show();
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
    this.#show();
    void this.#settle();
    const faults = faultsOf(filesProcessed);
    if (filesProcessed.some(({ openPlanModal }) => openPlanModal)) openOverlay("plan");
    const isEmpty = totalCards === 0;
    const message = isEmpty ? (faults[0] ?? t("flashcards.nothing")) : null;
    setRun(this.#componentId, { status: isEmpty ? "failed" : "done", message, notices, faults });
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const door = doors.get(this.#componentId);
    const content = door?.contentOf(this.#componentId);
    if (!door || !content || this.#cards.length === 0) return;
    const held = (content["cards"] ?? []) as Flashcard[];
    const ids = new Set(held.map((card) => card.id));
    const fresh = this.#cards.filter((card) => !ids.has(card.id));
    this.#cards = [];
    if (fresh.length === 0) return;
    // No version: this deck may lack cards that the server's deck of that version has.
    door.receive(this.#componentId, { ...content, cards: [...held, ...fresh] }, undefined);
  }

  /** Reloads the deck at the end: cards made while its page was closed are missing here. */
  async #settle(): Promise<void> {
    try {
      const { component } = await client.pages.getComponent({ id: this.#componentId });
      doors.get(this.#componentId)?.receive(component._id, component.content, component.version);
    } catch (error) {
      if (!(error instanceof Failure) && !(error instanceof NoAnswer)) throw error;
    }
  }

  #fail(error: unknown): void {
    this.#show();
    const friendly = friendlyFailure(error, "flashcards");
    setRun(this.#componentId, { status: "failed", message: friendly?.message ?? null });
  }
}

const followers = new Map<string, Follower>();

/** Replaces the current follower of a deck, so that each has only one. */
function followerOf(componentId: string, jobId: string): Follower {
  followers.get(componentId)?.leave();
  const follower = new Follower(componentId, jobId);
  followers.set(componentId, follower);
  return follower;
}

function beginRun(componentId: string, run: Pick<Run, "jobId" | "status" | "cardCount">): void {
  store.set(runsAtom, (runs) => ({
    ...runs,
    [componentId]: { done: 0, total: 0, message: null, notices: [], faults: [], ...run },
  }));
}

/** Starts generating cards into an existing deck and follows the job to its end. */
export async function makeCards(door: PageDoor, componentId: string, request: CardRequest): Promise<void> {
  const jobId = makeId();
  doors.set(componentId, door);
  beginRun(componentId, { jobId, status: "waiting", cardCount: 0 });
  const target = { pageId: door.pageId, componentId };
  const input = { ...request, options: { ...request.options, target, jobId } };
  await followerOf(componentId, jobId).read(() => client.flashcards.generateCards.stream(input, []));
}

/** Outcomes that were dismissed in this browser. */
const PUT_AWAY = "lamplight_runs_put_away";
const MOST_PUT_AWAY = 50;
const putAway = () => (readLocal(PUT_AWAY) ?? "").split(" ");

/** Shows the outcome of a run that ended while the page was closed: stopped, failed, or sources without cards. */
function tellOutcome(componentId: string, last: GenerationStatus | undefined): void {
  if (!last || store.get(runsAtom)[componentId] || putAway().includes(last.jobId)) return;
  const { jobId, cardCount, outcome } = last;
  const faults = faultsOf(outcome?.filesProcessed ?? []);
  if (last.status === "cancelled") beginRun(componentId, { jobId, status: "stopped", cardCount });
  else if (last.status === "failed" || faults.length > 0) {
    beginRun(componentId, { jobId, status: last.status === "failed" ? "failed" : "done", cardCount });
    setRun(componentId, { faults, message: outcome?.message ? translateSent(outcome.message, outcome) : null });
  }
}

/** Follows a run that is still active, or shows how the last one ended. */
export async function resumeRun(door: PageDoor, componentId: string): Promise<void> {
  doors.set(componentId, door);
  if (!isOver(store.get(runsAtom)[componentId])) return;
  try {
    const { generations } = await client.flashcards.listGenerations({ componentId });
    if (!isOver(store.get(runsAtom)[componentId])) return;
    const active = generations.find(({ status }) => status === "waiting" || status === "running");
    if (!active) return tellOutcome(componentId, generations.at(-1));
    const { jobId, status } = active;
    beginRun(componentId, { jobId, status: status === "waiting" ? "waiting" : "running", cardCount: 0 });
    await followerOf(componentId, jobId).read(undefined);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoAnswer)) throw error;
  }
}

/** Cards made so far are kept. */
export async function stopRun(componentId: string): Promise<void> {
  const run = store.get(runsAtom)[componentId];
  if (isOver(run) || !run) return;
  try {
    await client.flashcards.cancelGeneration({ jobId: run.jobId });
    setRun(componentId, { status: "stopped" });
  } catch (error) {
    const message = friendlyFailure(error, "flashcards")?.message;
    if (message !== undefined) setRun(componentId, { message });
  }
}

/** Resumes a stopped run; new cards are added after the existing ones. */
export async function goOn(componentId: string): Promise<void> {
  const run = store.get(runsAtom)[componentId];
  if (run?.status !== "stopped") return;
  try {
    const { jobId } = await client.flashcards.resumeGeneration({ jobId: run.jobId });
    beginRun(componentId, { jobId, status: "waiting", cardCount: 0 });
    await followerOf(componentId, jobId).read(undefined);
  } catch (error) {
    const message = friendlyFailure(error, "flashcards")?.message;
    if (message !== undefined) notify({ type: "error", message });
  }
}

export function dismissRun(componentId: string): void {
  const { jobId } = store.get(runsAtom)[componentId] ?? {};
  if (jobId !== undefined) writeLocal(PUT_AWAY, [jobId, ...putAway()].slice(0, MOST_PUT_AWAY).join(" "));
  store.set(runsAtom, (runs) => Object.fromEntries(Object.entries(runs).filter(([id]) => id !== componentId)));
}
