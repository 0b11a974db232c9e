import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { clearConflicts, pageConflictsAtom } from "../../session/apply-remote-changes.ts";
import type { PageSession } from "../../session/page-session.ts";
import "./history-dialog.css";

const HistoryDialog = lazy(async () => ({ default: (await import("./history-dialog.tsx")).HistoryDialog }));

interface Props {
  pageId: string;
  session: PageSession;
  isOpen: boolean;
  onClose: () => void;
}

/** The history dialog, and a notice about edit conflicts. */
export function PageHistory({ pageId, session, isOpen, onClose }: Props) {
  const conflicts = useAtomValue(pageConflictsAtom);
  const ids = conflicts.pageId === pageId ? conflicts.ids : [];
  const [compared, setCompared] = useState<readonly string[] | null>(null);
  return (
    <>
      {ids.length > 0 && (
        <div className="conflict-bar" role="status">
          <p>{t("pages.conflict", { count: ids.length })}</p>
          <Button onClick={() => setCompared(ids)}>{t("pages.history_compare")}</Button>
          <Button variant="quiet" onClick={clearConflicts}>
            {t("pages.conflict_resolve")}
          </Button>
        </div>
      )}
      {(isOpen || compared) && (
        <Suspense>
          <HistoryDialog
            pageId={pageId}
            session={session}
            componentIds={compared ?? undefined}
            onClose={(wereShown) => {
              if (compared && wereShown) clearConflicts();
              setCompared(null);
              onClose();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
