import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { keepHint } from "./card-changes.ts";

/** The hint for the current card. */
export type Hint = { state: "none" } | { state: "coming" } | { state: "there"; text: string };

/** After this time the hint is generated on this device instead. */
const PATIENCE_MS = 6000;

/** The server's hint, or one generated locally if the request fails. */
async function findHint({ question, answer, citation }: Flashcard): Promise<string> {
  try {
    const asked = { card: { question, answer, citation } };
    return (await client.flashcards.hintAt(asked, { signal: AbortSignal.timeout(PATIENCE_MS) })).hint;
  } catch (error) {
    logTrouble("Could not fetch a hint", error);
    const { makeHint } = await import("#shared/engine/hints.ts");
    return makeHint({ answer, quote: citation === null ? null : (parseCitation(citation)?.quote ?? null) });
  }
}

/** Hints need text on both sides; occlusion cards have none. */
const canHint = ({ question, answer }: Flashcard) => question.trim() !== "" && answer.trim() !== "";

/**
 * The card's hint, requested once and then stored on the card; each turn starts without one. `ask` is undefined if no
 * hint is available.
 */
export function useHint(card: Flashcard | undefined, turn: number): { hint: Hint; ask: (() => void) | undefined } {
  const [asked, setAsked] = useState<{ turn: number; hint: Hint } | null>(null);
  const hint = asked?.turn === turn ? asked.hint : ({ state: "none" } as const);
  if (!card || !canHint(card) || hint.state !== "none") return { hint, ask: undefined };
  const kept = card.ai?.hint ?? null;
  const show = (next: Hint) => setAsked({ turn, hint: next });
  const fetchHint = async () => {
    show({ state: "coming" });
    const text = await findHint(card);
    // The student may have moved on meanwhile.
    setAsked((now) => (now?.turn === turn ? { turn, hint: { state: "there", text } } : now));
    await keepHint(card.id, text);
  };
  const ask = () => (kept === null ? void fetchHint() : show({ state: "there", text: kept }));
  return { hint, ask };
}
