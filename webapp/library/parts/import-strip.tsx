import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { importingAtom, isBusy, resumeImport } from "../import/import-state.ts";
import { describeImport } from "./import-progress.tsx";
import "../import/import-dialog.css";

/** Shows a running or finished import on the library screen, and resumes an interrupted import. */
export function ImportStrip() {
  const importing = useAtomValue(importingAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId !== undefined) void resumeImport();
  }, [accountId]);
  if (!isBusy(importing) && importing.state !== "done") return null;
  const { done, total } =
    importing.state === "sending" || importing.state === "running" ? importing : { done: 1, total: 1 };
  const statusText =
    importing.state === "done" ? t("imports.done", { count: importing.report.pages }) : describeImport(importing);
  return (
    <div className="import-strip">
      <span className="import-words">
        <span>{t(importing.state === "done" ? "imports.title" : "imports.at_work")}</span>
        <span className="import-quiet">{statusText}</span>
        {isBusy(importing) && (
          <Progress label={t("imports.progress")} value={done} max={Math.max(1, total)} valueText={statusText} />
        )}
      </span>
      <Button onClick={() => openOverlay("import")}>{t("imports.details")}</Button>
    </div>
  );
}
