import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { hasModelFailed, isWideCanvas } from "#shared/research/rules.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { store } from "#webapp/app/store.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { OpenSession } from "./open-session.ts";
import { CanvasView } from "./parts/canvas-view.tsx";
import { Dialogue } from "./parts/dialogue.tsx";
import { Ledger } from "./parts/ledger.tsx";
import { PlanView } from "./parts/plan-view.tsx";
import { FoldedChoices, QuestionForm } from "./parts/question-form.tsx";
import { SessionHead } from "./parts/session-head.tsx";
import { SnapshotDialog } from "./parts/snapshot-dialog.tsx";
import type { ResearchSnapshot } from "./snapshot.ts";
import { listSilentServices } from "./silent-services.ts";
import { loadSearchSources } from "./state.ts";
import { isSentHere } from "./unsaved-texts.ts";
import { unwatchRun, watchRun } from "./watch-run.ts";
import "./session-screen.css";

interface ShownSource {
  n: number;
  quote: string | null;
}

/** The source whose saved text is shown. The URL, to which podcast citations link, can name it. */
function useShownSource() {
  const search: { source?: unknown; quote?: unknown } = useSearch({ strict: false });
  const n = Number(search.source ?? Number.NaN);
  const isNamed = Number.isSafeInteger(n) && n > 0;
  const quote = typeof search.quote === "string" || typeof search.quote === "number" ? String(search.quote) : null;
  const named = isNamed ? JSON.stringify([n, quote]) : null;
  const [opened, setOpened] = useState<string | null>(null);
  const [shown, setShown] = useState<ShownSource | null>(null);
  if (named !== opened) {
    setOpened(named);
    if (isNamed) setShown({ n, quote });
  }
  return [shown, setShown] as const;
}

function useLiveResearch(id: string) {
  const [live] = useState(() => new OpenSession());
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const reconnect = () => void live.reconnect(id);
    unwatchRun(id);
    void live.open(id);
    void loadSearchSources();
    window.addEventListener("online", reconnect);
    const stop = onRemoteChanges((changes) => {
      const others = changes.filter(({ requestId }) => requestId === undefined || !isSentHere(requestId));
      if (others.some(({ kind, ids }) => kind === "research" && ids.includes(id))) void live.refresh();
    });
    return () => {
      stop();
      window.removeEventListener("online", reconnect);
      const { session } = live.snapshot;
      live.leave();
      const isSameAccount = store.get(accountIdAtom) === accountId;
      if (isSameAccount && session?.run.status === "running" && !session.read_only) void watchRun(session);
    };
  }, [live, id, accountId]);
  return { live, snapshot: useAtomValue(live.atom) };
}

/** One research session: plan, canvas and ledger side by side. */
export function ResearchSessionScreen() {
  const { id } = useScreenParams("researchSession");
  const { live, snapshot } = useLiveResearch(id);
  const { load, session } = snapshot;
  useTitle(session?.conversation_title || t("research.title"));
  if (session) return <Session live={live} snapshot={snapshot} session={session} />;
  const retry = <Button onClick={() => void live.open(id)}>{t("common.retry")}</Button>;
  if (load.state === "offline")
    return (
      <EmptyState title={t("research.offline_title")} headingLevel={1} action={retry}>
        {t("research.offline")}
      </EmptyState>
    );
  if (load.state === "error")
    return (
      <ErrorState
        headingLevel={1}
        title={t(load.status === 404 ? "research.missing_title" : "research.failed_title")}
        action={
          load.status === 404 ? <InnerLink to={screenPath("research", {})}>{t("research.title")}</InnerLink> : retry
        }
      >
        {load.status === 404 ? t("research.missing") : load.message}
      </ErrorState>
    );
  return <Skeleton label={t("common.loading")} lines={[60, 100, 92, 64, 100, 88]} height={18} />;
}

interface SessionProps {
  live: OpenSession;
  snapshot: ResearchSnapshot;
  session: ResearchSession;
}

function Session({ live, snapshot, session }: SessionProps) {
  const width = useAtomValue(preferencesAtom).research.canvas_width;
  /** The citation under the pointer, which the ledger highlights. */
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [shown, setShown] = useShownSource();
  const isRunning = session.run.status === "running";
  return (
    <div
      className="research"
      data-wide={isWideCanvas(width)}
      style={{ "--canvas-width": `${width}px` } as React.CSSProperties}
    >
      <SessionHead live={live} session={session} />
      <Notices live={live} snapshot={snapshot} session={session} />
      <div className="research-columns">
        <PlanView session={session} />
        <div className="research-middle">
          <CanvasView
            session={session}
            onHighlight={setHighlighted}
            onShow={(n, quote) => setShown({ n, quote })}
            onNotes={(notes, base) => void live.saveNotes(notes, base)}
            onEdit={(section, edit) => live.saveEdit(section, edit)}
          />
          {!session.read_only && (
            // A new key puts a refused question back into the field.
            <FollowUp key={snapshot.refusal?.text ?? ""} live={live} snapshot={snapshot} isRunning={isRunning} />
          )}
        </div>
        <Ledger
          session={session}
          highlighted={highlighted}
          onShow={(n, quote) => setShown({ n, quote })}
          onRecheck={() => live.recheck()}
        />
      </div>
      {shown && (
        <SnapshotDialog
          key={`${shown.n} ${shown.quote}`}
          sessionId={session._id}
          {...shown}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

function noticeOf({ isOffline, isReconnecting }: ResearchSnapshot, { read_only, run }: ResearchSession): string | null {
  if (isOffline) return t("research.offline_copy");
  if (read_only) return t("research.read_only");
  if (isReconnecting) return t("research.reconnecting");
  if (run.status === "stopped") return t("research.stopped");
  return run.status === "failed" ? t("research.failed") : null;
}

/** Whether the last question has a result; without one, the canvas says which services were silent. */
const isAnswered = ({ run, sections }: ResearchSession) =>
  run.status === "done" && sections.some(({ status }) => status === "written");

function Notices({ live, snapshot, session }: SessionProps) {
  const { run } = session;
  const notice = noticeOf(snapshot, session);
  const silent = listSilentServices(session);
  return (
    <div className="research-notices" role="status">
      {notice !== null && <p>{notice}</p>}
      {isAnswered(session) && silent.length > 0 && (
        <p>{t("research.services_silent", { services: silent.join(", ") })}</p>
      )}
      {hasModelFailed(session) && <p>{t("research.model_failed")}</p>}
      {snapshot.tookTooLong && (
        <p>
          {t("research.too_long")} <Button onClick={() => void live.open(session._id)}>{t("research.reload")}</Button>
        </p>
      )}
      {run.status === "done" && <p className="visually-hidden">{t("research.finished")}</p>}
    </div>
  );
}

function FollowUp({ live, snapshot, isRunning }: Omit<SessionProps, "session"> & { isRunning: boolean }) {
  const { dialogue, refusal, isSending } = snapshot;
  const isClarifying = dialogue.length > 0 && !isSending;
  if (isRunning) return null;
  return (
    <div className="research-follow-up">
      <Dialogue live={live} snapshot={snapshot} />
      <QuestionForm
        label={t("research.follow_up")}
        placeholder={t(isClarifying ? "research.answer_placeholder" : "research.follow_up_placeholder")}
        button={t(isClarifying ? "research.send" : "research.add")}
        isPending={isSending}
        initialText={refusal?.text ?? ""}
        onSend={(text) => void live.ask(text)}
      />
      {refusal && (
        <p role="alert" className="research-refusal">
          {refusal.message}
        </p>
      )}
      <FoldedChoices />
    </div>
  );
}
