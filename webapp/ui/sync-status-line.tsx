import { useAtomValue } from "jotai/react";
import { Check, CloudAlert, CloudOff, CloudUpload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { diskStateAtom, syncStatusAtom } from "#webapp/offline/sync-status.ts";

const UnsavedDialog = lazy(async () => ({ default: (await import("./unsaved-dialog.tsx")).UnsavedDialog }));

const icons = { saved: Check, saving: CloudUpload, offline: CloudOff, parked: CloudAlert };

/** The sync status in one line. */
export function SyncStatusLine() {
  const { state, parked, unsaved } = useAtomValue(syncStatusAtom);
  const isOnlyInTab = useAtomValue(diskStateAtom) !== "ok";
  const [isOpen, setOpen] = useState(false);
  const Icon = icons[state];
  const getText = () => {
    // The same count as on a page: the parked changes and the changes that are queued behind them.
    if (parked.length > 0) return t("unsaved.waiting", { count: unsaved });
    return t(state === "offline" && isOnlyInTab ? "shell.offline_here" : `shell.${state}`);
  };
  const text = getText();
  const line = (
    <>
      <Icon aria-hidden />
      <span className="sidebar-label">{text}</span>
    </>
  );
  return (
    <>
      <div role="status" title={text}>
        {parked.length > 0 ? (
          <button type="button" className="sidebar-row" onClick={() => setOpen(true)}>
            {line}
          </button>
        ) : (
          <span className="sidebar-row sidebar-sync">{line}</span>
        )}
      </div>
      {isOpen && (
        <Suspense>
          <UnsavedDialog open onClose={() => setOpen(false)} parked={parked} />
        </Suspense>
      )}
    </>
  );
}
