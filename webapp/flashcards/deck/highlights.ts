import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { client } from "#webapp/app/client.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";

export interface DeckLocation {
  pageId: string;
  flashcardsId: string;
}

const MAX_RETRIES = 3;

/** The state of a deck's highlights, as the specification defines it. */
export interface HighlightsState {
  highlights: string | null;
  loading: boolean;
  requested: boolean;
  error: { title: string; message: string; retryCount: number } | null;
}

export const noHighlights: HighlightsState = { highlights: null, loading: false, requested: false, error: null };

/** Loads the stored highlights. A deck that the server does not know has no highlights, which is not an error. */
export async function checkHighlights(deckLocation: DeckLocation): Promise<HighlightsState> {
  try {
    const { highlights } = await client.flashcards.getHighlightsStatus(deckLocation);
    return { ...noHighlights, highlights };
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return noHighlights;
    return {
      ...noHighlights,
      error: {
        title: t("flashcards.highlights_check_failed"),
        message: t("flashcards.highlights_failed"),
        retryCount: 0,
      },
    };
  }
}

const isTransient = (error: unknown) =>
  (error instanceof NoResponseError && error.reason !== "aborted") || (error instanceof Failure && error.status >= 500);

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
  const reason = error instanceof Failure && error.status < 500 ? error.message : t("flashcards.highlights_failed");
  const message = retryCount >= MAX_RETRIES ? t("flashcards.highlights_retries_failed") : reason;
  const title = t("flashcards.highlights_failed_title");
  return { highlights: null, loading: false, requested: true, error: { title, message, retryCount } };
}
