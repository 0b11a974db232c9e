import { useAtomValue } from "jotai/react";
import { ArrowLeft, CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { syncStatusAtom } from "#webapp/offline/sync-status.ts";
import "./study-frame.css";

interface Props {
  deck: { title: string; pageTitle: string };
  /** Omitted if the mode has no end. */
  progress?: { value: number; max: number; valueText: string } | undefined;
  /** Content at the end of the header. */
  headerEnd?: ReactNode;
  /** Modes and buckets. */
  modeBar: ReactNode;
  /** Notices between the mode bar and the cards. */
  notices?: ReactNode;
  footer?: ReactNode;
  isCached?: boolean;
  onLeave: () => void;
  children: ReactNode;
}

/** The layout shared by all study modes: back button, progress, mode switch. */
export function StudyFrame(props: Props) {
  const { deck, progress, headerEnd, modeBar, notices, footer, isCached = false, onLeave, children } = props;
  return (
    <div className="study">
      <header className="study-header">
        <Button
          variant="quiet"
          className="study-back"
          icon={<ArrowLeft aria-hidden />}
          aria-label={t("study.back", { deck: deck.title, page: deck.pageTitle || t("common.untitled") })}
          onClick={onLeave}
        >
          <span className="study-deck-title" dir="auto">
            {deck.title}
          </span>
        </Button>
        {progress ? (
          <Progress
            label={t("study.progress")}
            value={progress.value}
            max={progress.max}
            valueText={progress.valueText}
          />
        ) : (
          <span />
        )}
        <div className="study-header-end">
          {progress && <span className="study-position">{progress.valueText}</span>}
          {headerEnd}
        </div>
      </header>
      {modeBar}
      <div>
        <OfflineStatus isCached={isCached} />
        {notices}
      </div>
      <main className="study-main">{children}</main>
      {footer !== undefined && <footer className="study-footer">{footer}</footer>}
    </div>
  );
}

/** Always rendered, so that screen readers announce changes of its content. */
function OfflineStatus({ isCached }: { isCached: boolean }) {
  const isOffline = useAtomValue(syncStatusAtom).state === "offline" || isCached;
  return (
    <div className="study-offline" role="status">
      {isOffline && (
        <>
          <CloudOff aria-hidden size={16} />
          {t("study.offline")}
        </>
      )}
    </div>
  );
}
