import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import type { Checkpoint } from "#shared/website/schema.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { isBusyAtom, restore } from "../state.ts";
import { CompareDialog } from "./compare-dialog.tsx";

function describe({ reason, detail }: Checkpoint): string {
  if (reason === "created") return t("website.reason_created");
  if (reason === "restored" && detail === "") return t("website.reason_restored_plain");
  return t(`website.reason_${reason}`, { detail });
}

/** The checkpoints of a site, the current one first. */
export function VersionLine({ projectId, checkpoints }: { projectId: string; checkpoints: readonly Checkpoint[] }) {
  const now = useNow();
  const isBusy = useAtomValue(isBusyAtom);
  const [compared, setCompared] = useState<Checkpoint>();
  return (
    <details className="website-versions">
      <summary>
        {t("website.versions")} <span>{checkpoints.length}</span>
      </summary>
      <p className="website-note">{t("website.versions_text")}</p>
      {/* Focusable, because the list scrolls sideways. */}
      <ol role="list" tabIndex={0} aria-label={t("website.versions")}>
        {checkpoints.map((checkpoint, index) => (
          <li key={checkpoint._id} data-good={checkpoint.isGood ?? true} aria-current={index === 0 || undefined}>
            <span className="website-version" dir="auto">
              {describe(checkpoint)}
            </span>
            <span className="website-when">
              {formatRelativeDate(checkpoint.createdAt, now)}
              {checkpoint.isGood === false && ` · ${t("website.broken")}`}
            </span>
            {index === 0 ? (
              <span className="website-when">{t("website.here")}</span>
            ) : (
              <span className="website-version-actions">
                <Button variant="quiet" pending={isBusy} onClick={() => void restore(projectId, checkpoint._id)}>
                  {t("website.restore")}
                  <span className="visually-hidden"> {describe(checkpoint)}</span>
                </Button>
                <Button variant="quiet" onClick={() => setCompared(checkpoint)}>
                  {t("website.compare")}
                  <span className="visually-hidden"> {describe(checkpoint)}</span>
                </Button>
              </span>
            )}
          </li>
        ))}
      </ol>
      {compared && (
        <CompareDialog
          projectId={projectId}
          checkpointId={compared._id}
          title={describe(compared)}
          onClose={() => setCompared(undefined)}
        />
      )}
    </details>
  );
}
