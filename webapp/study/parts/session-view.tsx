import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ArrowLeft, CloudOff } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { screenPath } from "#shared/screens.ts";
import { t } from "#shared/messages/translate.ts";
import { cardsLeft } from "#shared/study/session.ts";
import { Button } from "#shared/ui/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { syncStatusAtom } from "#webapp/kit/sync-status.ts";
import { grade, reveal, undo } from "../state.ts";
import { type Studying } from "../view.ts";
import { buryCard, suspendCard } from "../card-changes.ts";
import { speak } from "../speech.ts";
import { useStudyKeys } from "../use-study-keys.ts";
import { AnswersGiven } from "./answers-given.tsx";
import { CardEditor } from "./card-editor.tsx";
import { CardMenu } from "./card-menu.tsx";
import { GradeButtons } from "./grade-buttons.tsx";
import { LeechNote } from "./leech-note.tsx";
import { StudyCard } from "./study-card.tsx";

/** One card at a time: its question, its answer, four grades. */
export function SessionView({ view }: { view: Studying }) {
  const { deck, session, isRevealed } = view;
  const card = deck.cards.find((one) => one.id === session.current);
  const navigate = useNavigate();
  const [open, setOpen] = useState<"editor" | "rewrite" | "answers" | null>(null);
  const leech = deck.cards.find((one) => one.id === view.leechId);
  const said = card && (isRevealed ? card.answer : card.question);
  const cardId = card?.id ?? "";
  const keys = useMemo(
    () => ({
      isAsking: open === null,
      isRevealed,
      more: {
        e: () => setOpen("editor"),
        b: () => void buryCard(cardId),
        s: () => void suspendCard(cardId),
        r: () => void speak(said ?? ""),
      },
      reveal,
      grade: (given: Parameters<typeof grade>[0]) => void grade(given),
      undo: () => void undo(),
      leave: () => void navigate({ to: screenPath("page", { id: deck.pageId }) }),
    }),
    [isRevealed, navigate, deck.pageId, open, cardId, said],
  );
  useStudyKeys(keys);
  if (!card) return null;
  return (
    <div className="study">
      <SessionHeader view={view}>
        <CardMenu
          cardId={card.id}
          hasAnswers={session.answers.length > 0}
          onEdit={() => setOpen("editor")}
          onHistory={() => setOpen("answers")}
          onSpeak={() => void speak(said ?? "")}
        />
      </SessionHeader>
      {leech && <LeechNote view={view} card={leech} onRewrite={() => setOpen("rewrite")} />}
      <OfflineLine isFromDevice={view.isFromDevice} />
      <main className="study-main">
        <StudyCard key={`${card.id}:${session.answers.length}`} card={card} view={view} />
      </main>
      <footer className="study-footer">
        {isRevealed ? <GradeButtons view={view} cardId={card.id} /> : <ShowButton key={card.id} />}
      </footer>
      {open === "editor" && <CardEditor card={card} withProposals={false} onClose={() => setOpen(null)} />}
      {open === "rewrite" && leech && <CardEditor card={leech} withProposals onClose={() => setOpen(null)} />}
      {open === "answers" && <AnswersGiven view={view} onClose={() => setOpen(null)} />}
    </div>
  );
}

function ShowButton() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <Button ref={button} variant="primary" size="l" className="study-show" onClick={reveal}>
      {t("study.show")} <Kbd>Space</Kbd>
    </Button>
  );
}

/** Stands empty where all is well, so that a change is heard as well as seen. */
function OfflineLine({ isFromDevice }: { isFromDevice: boolean }) {
  const isOffline = useAtomValue(syncStatusAtom).state === "offline" || isFromDevice;
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

function SessionHeader({ view, children }: { view: Studying; children: ReactNode }) {
  const { deck, session, shownAt } = view;
  const at = session.answers.length + 1;
  const total = at + cardsLeft(session, shownAt);
  const position = t("study.position", { at, total });
  const navigate = useNavigate();
  return (
    <header className="study-header">
      <Button
        variant="quiet"
        className="study-back"
        icon={<ArrowLeft aria-hidden />}
        aria-label={t("study.back", { deck: deck.title, page: deck.pageTitle || t("common.untitled") })}
        onClick={() => void navigate({ to: screenPath("page", { id: deck.pageId }) })}
      >
        <span className="study-deck-title">{deck.title}</span>
      </Button>
      <Progress label={t("study.progress")} value={session.answers.length} max={total} valueText={position} />
      <div className="study-header-end">
        <span className="study-position">{position}</span>
        <Button variant="quiet" disabled={session.answers.length === 0} onClick={() => void undo()}>
          <Kbd>Z</Kbd> {t("study.undo")}
        </Button>
        {children}
      </div>
    </header>
  );
}
