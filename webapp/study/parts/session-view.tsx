import { useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { t } from "#shared/messages/translate.ts";
import { cardsLeft } from "#shared/study/session.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { toggleCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { useReadAloud } from "../read-aloud.ts";
import { StudyFrame } from "../study-frame.tsx";
import { useSwipe } from "../use-swipe.ts";
import { grade, reveal, undo } from "../state.ts";
import type { Studying } from "../view.ts";
import { buryCard, suspendCard } from "../card-changes.ts";
import { speak } from "../speech.ts";
import { useHint } from "../use-hint.ts";
import { useStudyKeys } from "../use-study-keys.ts";
import { AnswersGiven } from "./answers-given.tsx";
import { CardEditor } from "./card-editor.tsx";
import { CardMenu } from "./card-menu.tsx";
import { GradeButtons } from "./grade-buttons.tsx";
import { HintLine } from "./hint-line.tsx";
import { LeechNote } from "./leech-note.tsx";
import { StudyCard } from "./study-card.tsx";

type Open = "editor" | "rewrite" | "answers" | null;

/** One card at a time: question, answer, four grades. */
export function SessionView({ view, bar }: { view: Studying; bar: ReactNode }) {
  const { deck, session, isRevealed } = view;
  // Memoised: a deck may have ten thousand cards.
  const { current } = session;
  const card = useMemo(() => cardOf(deck, current), [deck, current]);
  const [open, setOpen] = useState<Open>(null);
  const leech = useMemo(() => cardOf(deck, view.leechId), [deck, view.leechId]);
  const said = card && (isRevealed ? card.answer : card.question);
  const { hint, ask: askHint } = useHint(card, session.answers.length);
  const keys = useKeys({ view, cardId: card?.id ?? "", said, open, setOpen, askHint });
  useReadAloud(said);
  if (!card) return null;
  const at = session.answers.length + 1;
  const total = at + cardsLeft(session, view.shownAt);
  return (
    <StudyFrame
      deck={deck}
      bar={bar}
      progress={{ value: session.answers.length, max: total, words: t("study.position", { at, total }) }}
      isFromDevice={view.isFromDevice}
      notes={
        <>
          <PlanLine view={view} />
          {leech && <LeechNote view={view} card={leech} onRewrite={() => setOpen("rewrite")} />}
        </>
      }
      onLeave={keys.leave}
      end={
        <>
          <Button variant="quiet" disabled={session.answers.length === 0} onClick={() => void undo()}>
            <Kbd>Z</Kbd> {t("study.undo")}
          </Button>
          <CardMenu
            cardId={card.id}
            deck={deck}
            hasAnswers={session.answers.length > 0}
            onEdit={() => setOpen("editor")}
            onHistory={() => setOpen("answers")}
            onSpeak={() => void speak(said ?? "")}
          />
        </>
      }
      footer={isRevealed ? <GradeButtons view={view} cardId={card.id} /> : <ShowButton key={card.id} />}
    >
      <TouchedCard view={view} card={card} hint={<HintLine hint={hint} onAsk={askHint} />} />
      {open === "editor" && <CardEditor card={card} withProposals={false} onClose={() => setOpen(null)} />}
      {open === "rewrite" && leech && <CardEditor card={leech} withProposals onClose={() => setOpen(null)} />}
      {open === "answers" && <AnswersGiven view={view} onClose={() => setOpen(null)} />}
    </StudyFrame>
  );
}

const cardOf = ({ cards }: Studying["deck"], id: string | null) =>
  id === null ? undefined : cards.find((one) => one.id === id);

function PlanLine({ view: { plan, bucket } }: { view: Studying }) {
  if (!plan || bucket !== "due") return null;
  const { daysLeft } = plan;
  return (
    <p className="study-offline" role="status">
      {daysLeft === 0 ? t("study.planned_today") : t("study.planned", { count: daysLeft })}
    </p>
  );
}

interface KeysOf {
  view: Studying;
  cardId: string;
  said: string | undefined;
  open: Open;
  setOpen: (open: Open) => void;
  askHint: (() => void) | undefined;
}

function useKeys({ view: { deck, isRevealed }, cardId, said, open, setOpen, askHint }: KeysOf) {
  const navigate = useNavigate();
  const keys = useMemo(
    () => ({
      isAsking: open === null,
      isRevealed,
      more: {
        e: () => setOpen("editor"),
        b: () => void buryCard(cardId),
        s: () => void suspendCard(cardId),
        f: () => void toggleCardFavourites(deck, new Set([cardId])),
        r: () => void speak(said ?? ""),
        ...(askHint && !isRevealed && { h: askHint }),
      },
      reveal,
      grade: (given: Parameters<typeof grade>[0]) => void grade(given),
      undo: () => void undo(),
      leave: () => void navigate({ to: screenPath("page", { id: deck.pageId }) }),
    }),
    [isRevealed, navigate, deck, open, setOpen, cardId, said, askHint],
  );
  useStudyKeys(keys);
  return keys;
}

const [again, good] = [() => void grade(1), () => void grade(3)];

/** A tap reveals the answer; then a swipe grades it. */
function TouchedCard({ view, card, hint }: { view: Studying; card: Flashcard; hint: ReactNode }) {
  const { isRevealed, session } = view;
  const swipe = useSwipe(isRevealed ? { onLeft: again, onRight: good } : { onTap: reveal });
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
