import { NoResponse } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type CoverageLine, mergeCoverage } from "#shared/flashcards/coverage.ts";
import type { DeckSource, Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";
import type { CardRequest } from "../state.ts";

export interface DeckLocation {
  pageId: string;
  flashcardsId: string;
}

export type CoverageState =
  | { state: "loading" }
  | { state: "failed"; message: string }
  | { state: "ready"; lines: CoverageLine[] };

export async function loadCoverage(deckLocation: DeckLocation): Promise<CoverageState> {
  try {
    const { generations } = await client.flashcards.getCoverage(deckLocation);
    return { state: "ready", lines: mergeCoverage(generations) };
  } catch (error) {
    return {
      state: "failed",
      message: toFailureMessage(error, "flashcards")?.message ?? t("flashcards.coverage_failed"),
    };
  }
}

const pageRange = ({ from, to }: DeckSource) => ({
  ...(from ? { startPage: from } : {}),
  ...(to ? { endPage: to } : {}),
});

/** Requests more cards for one coverage line, from the sources that it names. */
export function createMoreRequest({ kind, label, sources }: CoverageLine): CardRequest {
  const known = sources.filter((s): s is DeckSource & { componentId: string } => s.componentId !== null);
  return {
    pdfComponents: known.filter((s) => s.kind === "pdf").map((s) => ({ componentId: s.componentId, ...pageRange(s) })),
    videoComponents: known.filter((s) => s.kind === "video").map(({ componentId }) => ({ componentId })),
    options: { density: "AUTO", focus: { kind, label } },
  };
}

/** Texts from the specification. */
const MESSAGES = {
  title: "Failed to generate highlights",
  message: "There was an error processing your flashcards. Please try again later.",
  gaveUp: "An error occurred while generating the highlights.",
  status: "Failed to check highlights status",
};
const MAX_RETRIES = 3;

/** The specification's state record for a deck's highlights. */
export interface HighlightsState {
  highlights: string | null;
  loading: boolean;
  requested: boolean;
  error: { title: string; message: string; retryCount: number } | null;
}

export const noHighlights: HighlightsState = { highlights: null, loading: false, requested: false, error: null };

/** Loads stored highlights; an unknown deck has none and shows no error. */
export async function checkHighlights(deckLocation: DeckLocation): Promise<HighlightsState> {
  try {
    const { highlights } = await client.flashcards.getHighlightsStatus(deckLocation);
    return { ...noHighlights, highlights };
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return noHighlights;
    return { ...noHighlights, error: { title: MESSAGES.status, message: MESSAGES.message, retryCount: 0 } };
  }
}

const isTransient = (error: unknown) =>
  (error instanceof NoResponse && error.reason !== "aborted") || (error instanceof Failure && error.status >= 500);

interface HighlightsRequest {
  cards: readonly Flashcard[];
  signal: AbortSignal;
  show: (state: HighlightsState) => void;
  waitMs?: number;
}

/** Streams new highlights and retries transient failures up to three times with exponential backoff. */
export async function generateHighlights(
  deckLocation: DeckLocation,
  { cards, signal, show, waitMs = 1000 }: HighlightsRequest,
): Promise<void> {
  const { language, custom_instructions } = store.get(preferencesAtom).assistant;
  const input = {
    ...deckLocation,
    ...(language ? { language } : {}),
    ...(custom_instructions ? { custom_instructions } : {}),
    cards: cards.map(({ question, answer, citation }) => ({ question, answer, citation })),
  };
  for (let retryCount = 0; ; retryCount++) {
    try {
      let highlights = "";
      show({ ...noHighlights, loading: true, requested: true });
      for await (const piece of client.flashcards.streamHighlights(input, { signal })) {
        highlights += piece;
        show({ highlights, loading: true, requested: true, error: null });
      }
      return show({ highlights, loading: false, requested: true, error: null });
    } catch (error) {
      if (signal.aborted) return undefined;
      const isLast = retryCount >= MAX_RETRIES;
      if (isLast || !isTransient(error)) return show(failedState(error, retryCount));
      await new Promise((resolve) => setTimeout(resolve, waitMs * 2 ** retryCount));
    }
  }
}

function failedState(error: unknown, retryCount: number): HighlightsState {
  const reason = error instanceof Failure && error.status < 500 ? error.message : MESSAGES.message;
  const message = retryCount >= MAX_RETRIES ? MESSAGES.gaveUp : reason;
  return { highlights: null, loading: false, requested: true, error: { title: MESSAGES.title, message, retryCount } };
}

/** Proposes a deck title from its cards; on failure shows the reason and returns null. */
export async function proposeTitle(cards: readonly Flashcard[]): Promise<string | null> {
  try {
    const sent = cards.map(({ question, answer, citation }) => ({ question, answer, citation }));
    return (await client.flashcards.nameDeck({ cards: sent })).title;
  } catch (error) {
    const message = toFailureMessage(error, "flashcards")?.message;
    if (message !== undefined) notify({ type: "error", message });
    return null;
  }
}
