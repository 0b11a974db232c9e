import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { fileNameOf } from "#shared/flashcards/truncate-text.ts";
import { DeckContent, type Flashcard, MAX_DECK_CARDS } from "#shared/flashcards/schema.ts";
import type { AnkiImportReport } from "#shared/flashcards/interchange-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { sourceNames } from "#shared/study/deck/deck.ts";
import { notify } from "#webapp/app/alerts.ts";
import { loadCardFavourites, toggleCardFavourites } from "../card-favourites.ts";
import { moveCardData } from "../card-moves.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { recordOpened } from "#webapp/library/record-opened.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { store } from "#webapp/app/store.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";
import { revertStep, type DeckStep } from "./deck-undo.ts";

export interface OpenDeck {
  state: "ready";
  pageId: string;
  componentId: string;
  pageTitle: string;
  title: string;
  cards: readonly Flashcard[];
  minimized: boolean;
  version: number;
  /** The names of the files and videos that the deck's cards cite, by component id. */
  sources: ReadonlyMap<string, string>;
  /** Other decks on the page that cards can be moved to. */
  otherDecks: readonly { componentId: string; title: string }[];
}

export type DeckView = { state: "loading" } | { state: "failed"; reason: "missing" | "offline" | "error" } | OpenDeck;

const currentAtom = atom<DeckView>({ state: "loading" });
export const deckAtom = atom((get) => get(currentAtom));

let openCount = 0;

export async function openDeck(pageId: string, componentId: string): Promise<void> {
  openCount += 1;
  const openId = openCount;
  store.set(currentAtom, { state: "loading" });
  const view = await readDeck(pageId, componentId);
  if (openId !== openCount) return;
  store.set(currentAtom, view);
  if (view.state === "ready") {
    void loadCardFavourites(componentId);
    recordOpened(componentId);
  }
  unsubscribe();
  unsubscribe = onRemoteChanges((changes) => {
    if (changes.some(({ kind, ids }) => kind === "everything" || ids.includes(componentId))) void refreshDeck(openId);
  });
}

let unsubscribe = () => {};

/** Shows changes from other devices. While local edits are pending, it does nothing, because the server merges both. */
async function refreshDeck(openId: number): Promise<void> {
  const before = store.get(currentAtom);
  if (before.state !== "ready") return;
  const { pageId, componentId } = before;
  const isBusy = () => saveTimer !== undefined || queue().pendingFor(componentId).length > 0;
  if (isBusy()) return;
  const view = await readDeck(pageId, componentId);
  if (view.state === "ready" && openId === openCount && !isBusy()) store.set(currentAtom, view);
}

/** Saves pending edits, and resets the state before another deck is shown. */
export function closeDeck(): void {
  openCount += 1;
  flushEdit();
  unsubscribe();
  undoSteps = [];
  store.set(currentAtom, { state: "loading" });
}

async function readDeck(pageId: string, componentId: string): Promise<DeckView> {
  try {
    const state = await loadPage(pageId);
    const { page, components } = state;
    const decks = components.flatMap((component) => (component.type === "flash_cards" ? component : []));
    const deck = decks.find(({ _id }) => _id === componentId);
    if (!deck) return { state: "failed", reason: "missing" };
    const otherDecks = decks
      .filter((other) => other !== deck)
      .map(({ _id, content }) => ({ componentId: _id, title: content.title }));
    const { title, cards, minimized } = deck.content;
    const deckFields = { pageId, componentId, pageTitle: page?.title ?? "", version: deck.version, otherDecks };
    const sources = sourceNames(state);
    return { state: "ready", ...deckFields, sources, title, cards, minimized };
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return { state: "failed", reason: "missing" };
    if (error instanceof NoResponseError) return { state: "failed", reason: "offline" };
    logWarning("Failed to open a deck", error);
    return { state: "failed", reason: "error" };
  }
}

/** The debounce of autosave, which saves the whole deck. */
const SAVE_DELAY_MS = 500;
const MAX_UNDO_STEPS = 100;
let saveTimer: ReturnType<typeof setTimeout> | undefined;
/** The undo steps. A step can be reverted without losing later changes, such as those from other devices. */
let undoSteps: DeckStep[] = [];

function saveDeck(): void {
  saveTimer = undefined;
  const deck = store.get(currentAtom);
  if (deck.state !== "ready") return;
  const { componentId, title, cards, minimized, version } = deck;
  // The content was validated on load. Parsing up to ten thousand cards again would delay typing.
  const newContent = { title, cards, minimized };
  queue()
    .enqueue("component_content_update", componentId, { newContent }, { baseVersion: version })
    .catch((error: unknown) => {
      logWarning("Could not save a deck on this device", error);
      notify({ message: t("study.not_changed"), type: "error" });
    });
}

function flushEdit(): void {
  if (saveTimer === undefined) return;
  clearTimeout(saveTimer);
  saveDeck();
}

if (typeof window !== "undefined") window.addEventListener("pagehide", flushEdit);

function updateDeck(change: Partial<OpenDeck>): void {
  const deck = store.get(currentAtom);
  if (deck.state !== "ready") return;
  store.set(currentAtom, { ...deck, ...change });
  clearTimeout(saveTimer);
  saveTimer = setTimeout(saveDeck, SAVE_DELAY_MS);
}

function canHoldCards(count: number): boolean {
  if (count <= MAX_DECK_CARDS) return true;
  notify({ message: t("flashcards.deck_full", { have: count, most: MAX_DECK_CARDS }), type: "error" });
  return false;
}

/** Makes an undoable edit, which is shown at once and saved after a pause. False if there would be too many cards. */
export function editCards(change: (cards: readonly Flashcard[]) => readonly Flashcard[]): boolean {
  const deck = store.get(currentAtom);
  if (deck.state !== "ready") return false;
  const cards = change(deck.cards);
  if (cards.length > deck.cards.length && !canHoldCards(cards.length)) return false;
  undoSteps = [...undoSteps, { from: deck.cards, to: cards }].slice(-MAX_UNDO_STEPS);
  updateDeck({ cards });
  return true;
}

/** Edits one card. The other cards remain the same objects, so their rows do not render again. */
export function editCard(id: string, change: Partial<Flashcard>): void {
  editCards((cards) => cards.map((card) => (card.id === id ? { ...card, ...change } : card)));
}

export function renameDeck(title: string): void {
  updateDeck({ title });
}

const createUndo = (step: DeckStep | undefined) => () => {
  const deck = store.get(currentAtom);
  if (!step || !undoSteps.includes(step) || deck.state !== "ready") return;
  undoSteps = undoSteps.filter((other) => other !== step);
  updateDeck({ cards: revertStep(deck.cards, step) });
};

/** Reverts the latest step. */
export function undoEdit(): void {
  createUndo(undoSteps.at(-1))();
}

/** Captures the latest step and returns a function that reverts it but not later edits. */
export const captureUndo = (): (() => void) => createUndo(undoSteps.at(-1));

export const createCard = (): Flashcard => ({
  id: ulid(),
  question: "",
  answer: "",
  questionImage: null,
  citation: null,
});

/** Moves cards, and shows why if that fails, because the cards just stay where they are. */
async function moveWithFailureNotice(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (error instanceof NoResponseError && error.reason === "aborted") return;
    logWarning("Could not move cards to another deck", error);
    const message = t(error instanceof NoResponseError ? "flashcards.move_offline" : "flashcards.move_failed");
    notify({ message, type: "error" });
  }
}

/** Another deck of the page; undefined if it is gone, which is shown, or if `deck` was closed in the meantime. */
async function findOtherDeck(deck: OpenDeck, componentId: string) {
  const openId = openCount;
  const { components } = await loadPage(deck.pageId);
  if (openId !== openCount) return undefined;
  const other = components.find(({ _id }) => _id === componentId);
  if (other?.type === "flash_cards") return other;
  notify({ message: t("flashcards.move_missing"), type: "error" });
  return undefined;
}

/** Moves cards to another deck of the page or to a new deck. Resolves once both decks are queued. */
export const moveCardsToDeck = (ids: ReadonlySet<string>, target: { componentId: string } | { title: string }) =>
  moveWithFailureNotice(async () => {
    const deck = store.get(currentAtom);
    if (deck.state !== "ready") return;
    const moved = deck.cards.filter((card) => ids.has(card.id));
    const targetId = "componentId" in target ? target.componentId : ulid();
    if ("componentId" in target) {
      const other = await findOtherDeck(deck, target.componentId);
      if (!other || !canHoldCards(other.content.cards.length + moved.length)) return;
      const newContent = { ...other.content, cards: [...other.content.cards, ...moved] };
      await queue().enqueue("component_content_update", other._id, { newContent }, { baseVersion: other.version });
    } else {
      await createDeck(deck, { componentId: targetId, title: target.title, cards: moved });
    }
    editCards((cards) => cards.filter((card) => !ids.has(card.id)));
    flushEdit();
    // Undoing this step would leave the cards in both decks.
    undoSteps = [];
    await moveCardData(deck.componentId, targetId, new Set(moved.map(({ id }) => id)));
    notify({ message: t("flashcards.moved", { count: moved.length }), type: "success" });
  });

interface NewDeck {
  componentId: string;
  title: string;
  cards: readonly Flashcard[];
}

/** Adds a deck with these cards to the page of the open deck. */
async function createDeck({ pageId, otherDecks }: OpenDeck, { componentId, title, cards }: NewDeck): Promise<void> {
  const now = Date.now();
  const base = { _id: componentId, pageId, createdAt: now, modifiedAt: now, createdBy: queue().accountId };
  const content = DeckContent.parse({ title, cards });
  const component = { ...base, lastOpenedAt: null, version: 1, type: "flash_cards" as const, content };
  await queue().enqueue("component_create", componentId, { component, parentId: pageId });
  updateDeck({ otherDecks: [...otherDecks, { componentId, title }] });
}

/** Moves all cards of another deck on the page into this deck. The other deck remains, without cards. */
export const mergeDeck = (componentId: string) =>
  moveWithFailureNotice(async () => {
    const deck = store.get(currentAtom);
    if (deck.state !== "ready") return;
    const other = await findOtherDeck(deck, componentId);
    if (!other) return;
    const { cards: takenCards } = other.content;
    if (!editCards((cards) => [...cards, ...takenCards])) return;
    flushEdit();
    undoSteps = [];
    const newContent = { ...other.content, cards: [] };
    await queue().enqueue("component_content_update", other._id, { newContent }, { baseVersion: other.version });
    await moveCardData(other._id, deck.componentId, new Set(takenCards.map(({ id }) => id)));
    notify({ message: t("flashcards.merged", { count: takenCards.length }), type: "success" });
  });

/** Stars the cards, or removes the stars if all of them have one. */
export async function toggleFavourites(ids: ReadonlySet<string>): Promise<void> {
  const deck = store.get(currentAtom);
  if (deck.state !== "ready" || ids.size === 0) return;
  const { pageId, componentId } = deck;
  await toggleCardFavourites({ pageId, componentId }, ids, async () => {
    // The server must know a new card before it can be starred.
    if (saveTimer === undefined && queue().pendingFor(componentId).length === 0) return;
    flushEdit();
    await queue().flush();
  });
}

export async function exportAnki(form: "old" | "new"): Promise<void> {
  const deck = store.get(currentAtom);
  if (deck.state !== "ready") return;
  const { componentId, title } = deck;
  try {
    flushEdit();
    await queue().flush();
    saveFile(await client.flashcards.exportDeck({ componentId, form }), `${fileNameOf(title)}.apkg`);
  } catch (error) {
    notify({ message: toFailureMessage(error, "flashcards")?.message ?? t("flashcards.export_failed"), type: "error" });
  }
}

export type DeckImport =
  | { state: "idle" }
  | { state: "running"; done: number; total: number; stop: () => void }
  | { state: "done"; report: AnkiImportReport }
  | { state: "failed"; message: string };

const importStateAtom = atom<DeckImport>({ state: "idle" });
export const deckImportAtom = atom((get) => get(importStateAtom));

export function clearDeckImport(): void {
  store.set(importStateAtom, { state: "idle" });
}

/** Imports a package into the page of this deck and reports progress and the result. */
export async function importPackage(file: File): Promise<void> {
  const deck = store.get(currentAtom);
  if (deck.state !== "ready") return;
  const controller = new AbortController();
  const stop = () => controller.abort();
  store.set(importStateAtom, { state: "running", done: 0, total: 0, stop });
  try {
    const sent = [{ field: "file", name: file.name, file }];
    const events = client.flashcards.importDecks.stream({ pageId: deck.pageId }, sent, { signal: controller.signal });
    for await (const event of events) {
      if (event.type === "progress")
        store.set(importStateAtom, { state: "running", done: event.done, total: event.total, stop });
      if (event.type === "result") store.set(importStateAtom, { state: "done", report: event.result });
      if (event.type === "error") store.set(importStateAtom, { state: "failed", message: event.message });
    }
  } catch (error) {
    const message = toFailureMessage(error, "flashcards")?.message ?? t("flashcards.import_failed");
    store.set(importStateAtom, controller.signal.aborted ? { state: "idle" } : { state: "failed", message });
  }
}
