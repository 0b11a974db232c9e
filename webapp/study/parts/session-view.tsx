import { useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { t } from "#shared/messages/translate.ts";
import { sessionPosition } from "#shared/study/controller.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { toggleCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { useReadAloud } from "../read-aloud.ts";
import { StudyFrame } from "../study-frame.tsx";
import { useSwipe } from "../use-swipe.ts";
import { grade, reveal, undo } from "../session/state.ts";
import type { ActiveStudy } from "../session/study-view.ts";
import { buryCard, suspendCard } from "../session/card-changes.ts";
import { speakText } from "../speech.ts";
import { useHint } from "../session/use-hint.ts";
import { useStudyKeys } from "../session/use-study-keys.ts";
import { SessionReviews } from "./session-reviews.tsx";
import { CardEditor } from "./card-editor.tsx";
import { CardMenu } from "./card-menu.tsx";
import { GradeButtons } from "./grade-buttons.tsx";
import { HintLine } from "./hint-line.tsx";
import { LeechNotice } from "./leech-note.tsx";
import { StudyCard } from "./study-card.tsx";

type OpenDialog = "editor" | "rewrite" | "answers" | null;

/** One card at a time: question, answer, four grades. */
export function SessionView({ view, modeBar }: { view: ActiveStudy; modeBar: ReactNode }) {
  const { deck, session, isRevealed } = view;
  // Memoised, because a deck may have ten thousand cards.
  const { current } = session;
  const card = useMemo(() => findCard(deck, current), [deck, current]);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const leech = useMemo(() => findCard(deck, view.leechId), [deck, view.leechId]);
  const spokenText = card && (isRevealed ? card.answer : card.question);
  const { hint, ask: askHint } = useHint(card, session.answers.length);
  const keys = useKeys({ view, cardId: card?.id ?? "", spokenText, open: openDialog, setOpen: setOpenDialog, askHint });
  useReadAloud(spokenText);
  if (!card) return null;
  const { position, total } = sessionPosition(view);
  return (
    <StudyFrame
      deck={deck}
      modeBar={modeBar}
      progress={{ value: session.answers.length, max: total, valueText: t("study.position", { at: position, total }) }}
      isCached={view.isCached}
      notices={
        <>
          <PlanLine view={view} />
          {leech && <LeechNotice view={view} card={leech} onRewrite={() => setOpenDialog("rewrite")} />}
        </>
      }
      onLeave={keys.leave}
      headerEnd={
        <>
          <Button variant="quiet" disabled={session.answers.length === 0} onClick={() => void undo()}>
            <Kbd>Z</Kbd> {t("study.undo")}
          </Button>
          <CardMenu
            cardId={card.id}
            deck={deck}
            hasAnswers={session.answers.length > 0}
            onEdit={() => setOpenDialog("editor")}
            onHistory={() => setOpenDialog("answers")}
            onReadAloud={() => void speakText(spokenText ?? "")}
          />
        </>
      }
      footer={isRevealed ? <GradeButtons view={view} /> : <ShowButton key={card.id} />}
    >
      <SwipeableCard view={view} card={card} hint={<HintLine hint={hint} onAsk={askHint} />} />
      {openDialog === "editor" && <CardEditor card={card} withProposals={false} onClose={() => setOpenDialog(null)} />}
      {openDialog === "rewrite" && leech && (
        <CardEditor card={leech} withProposals onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === "answers" && <SessionReviews view={view} onClose={() => setOpenDialog(null)} />}
    </StudyFrame>
  );
}

const findCard = ({ cards }: ActiveStudy["deck"], id: string | null) =>
  id === null ? undefined : cards.find((card) => card.id === id);

function PlanLine({ view: { examPlan, bucket } }: { view: ActiveStudy }) {
  if (!examPlan || bucket !== "due") return null;
  const { daysLeft } = examPlan;
  return (
    <p className="study-offline" role="status">
      {daysLeft === 0 ? t("study.planned_today") : t("study.planned", { count: daysLeft })}
    </p>
  );
}

interface KeyOptions {
  view: ActiveStudy;
  cardId: string;
  spokenText: string | undefined;
  open: OpenDialog;
  setOpen: (openDialog: OpenDialog) => void;
  askHint: (() => void) | undefined;
}

function useKeys({
  view: { deck, isRevealed },
  cardId,
  spokenText,
  open: openDialog,
  setOpen: setOpenDialog,
  askHint,
}: KeyOptions) {
  const navigate = useNavigate();
  const keys = useMemo(
    () => ({
      isEnabled: openDialog === null,
      isRevealed,
      more: {
        e: () => setOpenDialog("editor"),
        b: () => void buryCard(cardId),
        s: () => void suspendCard(cardId),
        f: () => void toggleCardFavourites(deck, new Set([cardId])),
        r: () => void speakText(spokenText ?? ""),
        ...(askHint && !isRevealed && { h: askHint }),
      },
      reveal,
      grade: (gradeValue: Parameters<typeof grade>[0]) => void grade(gradeValue),
      undo: () => void undo(),
      leave: () => void navigate({ to: screenPath("page", { id: deck.pageId }) }),
    }),
    [isRevealed, navigate, deck, openDialog, setOpenDialog, cardId, spokenText, askHint],
  );
  useStudyKeys(keys);
  return keys;
}

const [gradeAgain, gradeGood] = [() => grade(1), () => grade(3)];

/** A card that a tap reveals, and that a swipe then grades. */
function SwipeableCard({ view, card, hint }: { view: ActiveStudy; card: Flashcard; hint: ReactNode }) {
  const { isRevealed, session } = view;
  const labels = useMemo(() => ({ left: t("study.again"), right: t("study.good") }), []);
  const swipe = useSwipe(isRevealed ? { onLeft: gradeAgain, onRight: gradeGood, labels } : { onTap: reveal });
  return (
    <div className="study-touched" {...swipe}>
      <StudyCard key={`${card.id}:${session.answers.length}`} card={card} view={view} hint={hint} />
      <p className="study-swipe-hint">{isRevealed && t("modes.swipe_hint")}</p>
    </div>
  );
}

function ShowButton() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <Button ref={button} variant="primary" size="l" className="study-show" onClick={reveal}>
      {t("study.show")} <Kbd>{t("common.key_space")}</Kbd>
    </Button>
  );
}
