import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { ComponentVersion, HistoryEntry } from "#shared/pages/schema.ts";
import { diffWords, componentText } from "#shared/pages/text-diff.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { logWarning } from "#webapp/app/log.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { listEntries, readVersion, restoreEntry, getVersionText } from "../../session/history.ts";
import type { PageSession } from "../../session/page-session.ts";
import "./history-dialog.css";

const reasons = {
  replaced: "pages.history_replaced",
  conflict: "pages.history_conflict",
  deleted: "pages.history_deleted",
  restored: "pages.history_replaced",
} as const;

type Loaded<T> = { state: "loading" } | { state: "failed" } | { state: "ready"; value: T };

/** The result of `load` for the current key. */
function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [result, setResult] = useState<{ key: string; loaded: Loaded<T> }>({ key, loaded: { state: "loading" } });
  useEffect(() => {
    let isCancelled = false;
    const show = (loaded: Loaded<T>) => {
      if (!isCancelled) setResult({ key, loaded });
    };
    load().then(
      (value) => show({ state: "ready", value }),
      (error: unknown) => {
        logWarning("Could not load the history", error);
        show({ state: "failed" });
      },
    );
    return () => {
      isCancelled = true;
    };
    // `load` is a new function on each render; the key identifies what is loaded.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  return result.key === key ? result.loaded : { state: "loading" };
}

function Difference({ before, after }: { before: string; after: string | undefined }) {
  if (after === undefined) return <p className="history-text">{before}</p>;
  if (before === after) return <p className="history-note">{t("pages.history_same_words")}</p>;
  return (
    <p className="history-text">
      {diffWords(before, after).map(({ words, side: where }, i) => {
        const key = `${i}-${where}`;
        if (where === "before") return <ins key={key}>{words}</ins>;
        return where === "after" ? <del key={key}>{words}</del> : <span key={key}>{words}</span>;
      })}
    </p>
  );
}

interface VersionPreviewProps {
  entry: HistoryEntry;
  pageId: string;
  session: PageSession;
  onDone: () => void;
}

function VersionPreview({ entry, pageId, session, onDone }: VersionPreviewProps) {
  const loaded = useLoaded<ComponentVersion | undefined>(entry._id, () => readVersion(entry));
  const [isBusy, setBusy] = useState(false);
  if (loaded.state === "loading") return <Skeleton label={t("pages.history_loading")} lines={[90, 96, 60]} />;
  if (loaded.state === "failed" || !loaded.value) return <p role="alert">{t("pages.history_failed")}</p>;
  const version = loaded.value;
  const current = session.currentContent(entry.componentId);
  const restore = async () => {
    setBusy(true);
    const isDone = await restoreEntry(session, pageId, entry);
    setBusy(false);
    if (isDone) onDone();
  };
  return (
    <section className="history-chosen" aria-label={t("pages.history_compare")}>
      {current && <p className="history-note">{t("pages.history_legend")}</p>}
      <Difference before={getVersionText(version)} after={current && componentText(current)} />
      <div className="history-actions">
        <Button variant="primary" pending={isBusy} onClick={() => void restore()}>
          {t(entry.isDeleted ? "pages.history_restore_block" : "pages.history_restore")}
        </Button>
        {current && entry.type === "text" && (
          <Button
            onClick={() => {
              session.insertCopyBelow(entry.componentId, version.content as Record<string, unknown>);
              onDone();
            }}
          >
            {t("pages.history_keep_both")}
          </Button>
        )}
      </div>
    </section>
  );
}

interface Props {
  pageId: string;
  session: PageSession;
  /** The components to show, for example after a conflict; all if omitted. */
  componentIds?: readonly string[] | undefined;
  /** Receives whether the versions were shown, rather than still loading or failed. */
  onClose: (wereShown: boolean) => void;
}

/** Earlier versions of the page's components, compared with the current text. */
export function HistoryDialog({ pageId, session, componentIds, onClose }: Props) {
  const loaded = useLoaded(pageId, () => listEntries(session, pageId));
  const [chosen, setChosen] = useState<HistoryEntry | null>(null);
  const now = useNow();
  const entries =
    loaded.state === "ready" ? loaded.value.filter((e) => !componentIds || componentIds.includes(e.componentId)) : [];
  const close = () => onClose(loaded.state === "ready");
  const shown = chosen ?? (componentIds ? (entries[0] ?? null) : null);
  return (
    <Dialog open title={t("pages.history")} onClose={close} closeLabel={t("common.close")}>
      {loaded.state === "loading" && <Skeleton label={t("pages.history_loading")} lines={[90, 96, 60]} />}
      {loaded.state === "failed" && <p role="alert">{t("pages.history_failed")}</p>}
      {loaded.state === "ready" && entries.length === 0 && <p>{t("pages.history_empty")}</p>}
      {entries.length > 0 && (
        <ol className="history-list">
          {entries.map((entry) => (
            <li key={entry._id}>
              <button
                type="button"
                className="history-entry"
                aria-expanded={shown?._id === entry._id}
                onClick={() => setChosen(shown?._id === entry._id ? null : entry)}
              >
                <span className="history-words">{entry.words || t("pages.history_no_words")}</span>
                <span className="history-note">
                  {t(reasons[entry.reason])} · {formatRelativeDate(entry.savedAt, now)}
                </span>
              </button>
              {shown?._id === entry._id && (
                <VersionPreview entry={entry} pageId={pageId} session={session} onDone={close} />
              )}
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
