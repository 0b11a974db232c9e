import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import type { ImportState } from "../import/import-state.ts";

const formatMb = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

export function describeImport(importing: ImportState): string {
  switch (importing.state) {
    case "packing":
      return t("imports.packing");
    case "sending":
      return importing.done >= importing.total
        ? t("imports.reading")
        : t("imports.sending", { done: formatMb(importing.done), total: formatMb(importing.total) });
    case "running":
      return t("imports.running", { done: importing.done, total: importing.total });
    case "idle":
    case "failed":
    case "done":
      return "";
    default:
      return importing satisfies never;
  }
}

/** The progress of an import, with a button to cancel it. */
export function ImportProgress({ importing }: { importing: ImportState }) {
  const statusText = describeImport(importing);
  const isMeasured = importing.state === "sending" || importing.state === "running";
  const { done, total } = isMeasured ? importing : { done: 0, total: 1 };
  return (
    <div className="import-progress">
      <p role="status">{statusText}</p>
      <Progress label={t("imports.progress")} value={done} max={Math.max(1, total)} valueText={statusText} />
      <p className="import-quiet">{t("imports.goes_on")}</p>
      {isMeasured && <Button onClick={importing.stop}>{t("imports.cancel")}</Button>}
    </div>
  );
}
