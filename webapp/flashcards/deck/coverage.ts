import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { type CoverageLine, mergeCoverage } from "#shared/flashcards/coverage.ts";
import type { DeckSource } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { client } from "#webapp/app/client.ts";
import type { CardRequest } from "../generation-runs.ts";
import type { DeckLocation } from "./highlights.ts";

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
