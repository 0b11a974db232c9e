import { useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { FileChange } from "#shared/website/schema.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { compareWithNow } from "../state.ts";
import "./compare-dialog.css";

interface Props {
  projectId: string;
  checkpointId: string;
  title: string;
  onClose: () => void;
}

/** The differences between a version and the current version. */
export function CompareDialog({ projectId, checkpointId, title, onClose }: Props) {
  const load = useCallback(() => compareWithNow(projectId, checkpointId), [projectId, checkpointId]);
  const { answer, retry } = useAsyncValue(load);
  return (
    <Dialog open title={t("website.compare_title", { title })} onClose={onClose} closeLabel={t("common.close")}>
      <div className="website-compare">
        {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[60, 100, 90]} height={20} />}
        {answer.state === "failed" && (
          <ErrorState title={t("website.compare")} action={<Button onClick={retry}>{t("common.retry")}</Button>}>
            {t("website.compare_failed")}
          </ErrorState>
        )}
        {answer.state === "ready" && answer.value.length === 0 && <p>{t("website.compare_none")}</p>}
        {answer.state === "ready" && answer.value.map((change) => <Change key={change.path} change={change} />)}
      </div>
    </Dialog>
  );
}

function Change({ change: { path, kind, added, removed, hunks, isCut } }: { change: FileChange }) {
  return (
    <section>
      <h3 dir="ltr">
        {path}{" "}
        <span className="website-compare-counts">
          {t(`website.compare_${kind}`)} · +{added} −{removed}
        </span>
      </h3>
      {hunks.map(({ line, lines }) => (
        // Focusable, because long lines scroll sideways.
        <pre key={line} className="website-hunk" dir="ltr" tabIndex={0} role="group" aria-label={`${path}, ${line}`}>
          {lines.map((diffLine, index) => (
            <span key={index} data-kind={diffLine.kind}>
              {diffLine.kind !== "same" && (
                <span className="visually-hidden">{t(`website.compare_line_${diffLine.kind}`)} </span>
              )}
              {diffLine.text}
            </span>
          ))}
        </pre>
      ))}
      {isCut && <p className="website-note">{t("website.compare_cut")}</p>}
    </section>
  );
}
