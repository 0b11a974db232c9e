import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { keepHint } from "./card-changes.ts";

/** A hint at the card that is asked: none yet, on its way, or there. */
export type Hint = { state: "none" } | { state: "coming" } | { state: "there"; text: string };

/** A student waits over the card: after this the device makes one of its own. */
const PATIENCE_MS = 6000;

/** The server's hint; without a connection the one that the built-in engine makes here. */
async function findHint({ question, answer, citation }: Flashcard): Promise<string> {
  try {
    const asked = { card: { question, answer, citation } };
    return (await client.flashcards.hintAt(asked, { signal: AbortSignal.timeout(PATIENCE_MS) })).hint;
  } catch (error) {
    logTrouble("A hint could not be asked for", error);
    const { makeHint } = await import("#shared/engine/hints.ts");
    return makeHint({ answer, quote: citation === null ? null : (parseCitation(citation)?.quote ?? null) });
  }
}

/** Words and pictures make a hint; a card of hidden regions has none. */
const canHint = ({ question, answer }: Flashcard) => question.trim() !== "" && answer.trim() !== "";

/** The hint of a card, asked for once and kept with it; each turn begins without one. `ask` is undefined where there is none to have. */
export function useHint(card: Flashcard | undefined, turn: number): { hint: Hint; ask: (() => void) | undefined } {
  const [asked, setAsked] = useState<{ turn: number; hint: Hint } | null>(null);
  const hint = asked?.turn === turn ? asked.hint : ({ state: "none" } as const);
  if (!card || !canHint(card) || hint.state !== "none") return { hint, ask: undefined };
  const kept = card.ai?.hint ?? null;
  const show = (next: Hint) => setAsked({ turn, hint: next });
  const fetchHint = async () => {
    show({ state: "coming" });
    const text = await findHint(card);
    // The student may have gone on meanwhile.
    setAsked((now) => (now?.turn === turn ? { turn, hint: { state: "there", text } } : now));
    await keepHint(card.id, text);
  };
  const ask = () => (kept === null ? void fetchHint() : show({ state: "there", text: kept }));
  return { hint, ask };
}
