import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import type { EngineNotice } from "#shared/cards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { dismissRun, continueRun, createRunAtom, stopRun, type GenerationRun } from "../generation-runs.ts";

const noticeTexts: Record<EngineNotice, () => string> = {
  only_emphasised_terms: () => t("flashcards.notice_only_emphasised_terms"),
  language_not_supported: () => t("flashcards.notice_language_not_supported"),
  not_translated: () => t("flashcards.notice_not_translated"),
  already_in_library: () => t("flashcards.notice_already_in_library"),
  fewer_cards_than_asked: () => t("flashcards.notice_fewer_cards_than_asked"),
};

function formatStatus(run: GenerationRun): string {
  switch (run.status) {
    case "waiting":
      return t("flashcards.waiting");
    case "running":
      return run.cardCount > 0 ? t("flashcards.running_count", { count: run.cardCount }) : t("flashcards.running");
    case "done":
      return t("flashcards.finished", { count: run.cardCount });
    case "stopped":
      return t("flashcards.stopped");
    case "failed":
      return run.message ?? t("flashcards.nothing");
    default:
      return run.status satisfies never;
  }
}

function SourceErrors({ sourceErrors }: { sourceErrors: readonly string[] }) {
  if (sourceErrors.length === 0) return null;
  return (
    <ul className="deck-run-notes">
      {sourceErrors.map((sourceError) => (
        <li key={sourceError}>{sourceError}</li>
      ))}
    </ul>
  );
}

/** Progress and outcome of card generation, shown in the deck. */
export function RunStatusLine({ componentId }: { componentId: string }) {
  const run = useAtomValue(useMemo(() => createRunAtom(componentId), [componentId]));
  if (!run) return null;
  const isActive = run.status === "waiting" || run.status === "running";
  return (
    <div className="deck-run" data-status={run.status}>
      <span className="deck-run-words" role={run.status === "failed" ? "alert" : "status"}>
        {formatStatus(run)}
        {run.notices.map((notice) => (
          <span key={notice} className="deck-run-notice">
            {noticeTexts[notice]()}
          </span>
        ))}
      </span>
      {isActive && run.total > 0 && <Progress label={t("flashcards.running")} value={run.done} max={run.total} />}
      {(run.status === "done" || run.status === "failed") && <SourceErrors sourceErrors={run.sourceErrors} />}
      {isActive ? (
        <Button variant="quiet" onClick={() => void stopRun(componentId)}>
          {t("flashcards.stop")}
        </Button>
      ) : (
        <>
          {run.status === "stopped" && (
            <Button onClick={() => void continueRun(componentId)}>{t("cardDialogs.continue")}</Button>
          )}
          <Button variant="quiet" onClick={() => dismissRun(componentId)}>
            {t("common.dismiss")}
          </Button>
        </>
      )}
    </div>
  );
}
