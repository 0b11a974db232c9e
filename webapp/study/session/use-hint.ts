import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { saveHint } from "./card-changes.ts";

/** The hint for the current card. */
export type Hint = { state: "none" } | { state: "loading" } | { state: "ready"; text: string };

/** After this time the hint is generated on this device instead. */
const TIMEOUT_MS = 6000;

/** The server's hint, or one generated locally if the request fails. */
async function findHint({ question, answer, citation }: Flashcard): Promise<string> {
  try {
    const request = { card: { question, answer, citation } };
    return (await client.flashcards.hintAt(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })).hint;
  } catch (error) {
    logWarning("Could not fetch a hint", error);
    const { makeHint } = await import("#shared/flashcards/hints.ts");
    const quote = citation === null ? null : (parseCitation(citation)?.quote ?? null);
    return makeHint({ answer, quote }, documentLanguage());
  }
}

/** Hints need text on both sides, which occlusion cards do not have. */
const canHint = ({ question, answer }: Flashcard) => question.trim() !== "" && answer.trim() !== "";

/**
 * The card's hint, requested once and then stored on the card; each turn starts without one. `ask` is undefined if no
 * hint is available.
 */
export function useHint(card: Flashcard | undefined, cardTurn: number): { hint: Hint; ask: (() => void) | undefined } {
  const [hintState, setHintState] = useState<{ turn: string; hint: Hint } | null>(null);
  // A card that is buried or suspended leaves without an answer, so the number of answers does not identify a turn.
  const turn = `${cardTurn} ${card?.id ?? ""}`;
  const hint = hintState?.turn === turn ? hintState.hint : ({ state: "none" } as const);
  if (!card || !canHint(card) || hint.state !== "none") return { hint, ask: undefined };
  const storedHint = card.ai?.hint ?? null;
  const show = (next: Hint) => setHintState({ turn, hint: next });
  const fetchHint = async () => {
    show({ state: "loading" });
    const text = await findHint(card);
    // The student may have moved on to another card in the meantime.
    setHintState((current) => (current?.turn === turn ? { turn, hint: { state: "ready", text } } : current));
    await saveHint(card.id, text);
  };
  const ask = () => (storedHint === null ? void fetchHint() : show({ state: "ready", text: storedHint }));
  return { hint, ask };
}
