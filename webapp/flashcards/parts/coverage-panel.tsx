import { useEffect, useState } from "react";
import { canGenerateAgain, type CoverageLine } from "#shared/flashcards/coverage.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { usePagePort } from "#webapp/pages/page-port.tsx";
import { type CoverageState, loadCoverage, createMoreRequest } from "../deck/coverage.ts";
import type { DeckLocation } from "../deck/highlights.ts";
import { makeCards } from "../generation-runs.ts";
import "./deck-panels.css";

interface CoverageLinesProps {
  title: string;
  lines: readonly CoverageLine[];
  onMore: (line: CoverageLine) => void;
}

/** "p. 2", with the source's name if there are several. */
function formatSourceLocation({ page, source }: CoverageLine): string {
  if (page === null) return source ?? "";
  return source === null ? t("flashcards.coverage_page", { page }) : t("flashcards.page_label", { page, source });
}

function CoverageLines({ title, lines, onMore }: CoverageLinesProps) {
  if (lines.length === 0) return null;
  return (
    <section className="coverage-part">
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line.label} className="coverage-line">
            <div>
              <p className="coverage-label" dir="auto">
                {line.label} <span className="coverage-page">{formatSourceLocation(line)}</span>
              </p>
              <p className="coverage-status" data-skipped={line.skipped !== null}>
                {line.skipped === null
                  ? t("flashcards.coverage_cards", { count: line.cardCount })
                  : t(`flashcards.coverage_${line.skipped}`)}
              </p>
            </div>
            {canGenerateAgain(line.sources) && line.skipped !== "not_matter" && (
              <Button
                variant="quiet"
                aria-label={t("flashcards.coverage_more_of", { label: line.label })}
                onClick={() => onMore(line)}
              >
                {t("flashcards.coverage_more")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CoverageBody({ coverage, onMore }: { coverage: CoverageState; onMore: CoverageLinesProps["onMore"] }) {
  const [onlySkipped, setOnlySkipped] = useState(false);
  if (coverage.state === "loading") return <p role="status">{t("common.loading")}</p>;
  if (coverage.state === "failed") return <p role="alert">{coverage.message}</p>;
  if (coverage.lines.length === 0) return <p>{t("flashcards.coverage_empty")}</p>;
  const shown = coverage.lines.filter(({ skipped }) => !onlySkipped || skipped !== null);
  const ofKind = (kind: CoverageLine["kind"]) => shown.filter((line) => line.kind === kind);
  return (
    <>
      <p className="coverage-hint">{t("flashcards.coverage_hint")}</p>
      <Checkbox label={t("flashcards.coverage_skipped_only")} checked={onlySkipped} onValue={setOnlySkipped} />
      <CoverageLines title={t("flashcards.coverage_sections")} lines={ofKind("section")} onMore={onMore} />
      <CoverageLines title={t("flashcards.coverage_terms")} lines={ofKind("term")} onMore={onMore} />
    </>
  );
}

/**
 * The sections and key terms of a deck's sources, each with its number of cards or the reason why it has none. More
 * cards can be requested for each line.
 */
export function CoveragePanel({ deckLocation, onClose }: { deckLocation: DeckLocation; onClose: () => void }) {
  const pagePort = usePagePort();
  const [coverage, setCoverage] = useState<CoverageState>({ state: "loading" });
  const { pageId, flashcardsId } = deckLocation;
  useEffect(() => {
    let isOpen = true;
    void loadCoverage({ pageId, flashcardsId }).then((result) => isOpen && setCoverage(result));
    return () => {
      isOpen = false;
    };
  }, [pageId, flashcardsId]);
  const requestCards = (line: CoverageLine) => {
    onClose();
    void makeCards(pagePort, flashcardsId, createMoreRequest(line));
  };
  return (
    <Dialog open title={t("flashcards.coverage")} onClose={onClose} closeLabel={t("common.close")}>
      <CoverageBody coverage={coverage} onMore={requestCards} />
    </Dialog>
  );
}
