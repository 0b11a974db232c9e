import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { countDeckDue, sessionPosition, type StudyEvent } from "#shared/study/controller.ts";
import { handleSessionKey, type SessionKeys } from "#shared/study/session-keys.ts";
import type { Grade } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { notify } from "#extension/app/channel.ts";
import { SeePlans } from "#extension/ui/see-plans.tsx";
import { words } from "#extension/words/words.ts";
import { CardPicture, CardText, QuestionPicture } from "./card-text.tsx";
import { GradeButtons } from "./grade-buttons.tsx";
import { applyStudyEvent, type DeckRef, grade, openDeck, type Studying } from "./study-session.ts";
import "./study-panel.css";

interface Props {
  /** Decks to study in order. */
  decks: readonly DeckRef[];
  onLeave: () => void;
  /** Opens the source of a card. */
  showCard: (card: Flashcard) => Promise<void>;
  /** Stores the remaining counts of a deck. */
  saveCounts: (componentId: string, counts: { due: number; fresh: number }) => Promise<void>;
}

type View = { state: "loading" } | { state: "failed"; reason: string } | { state: "ready"; studying: Studying };

/** Study state of a deck; each grade is stored before the next card is shown. */
function useStudying(deck: DeckRef, saveCounts: Props["saveCounts"]) {
  const [view, setView] = useState<View>({ state: "loading" });
  const [problem, setProblem] = useState<string>();
  const handledView = useRef<typeof view>(undefined);
  useEffect(() => {
    let isUnmounted = false;
    const open = async () => {
      const opened = await openDeck(deck).then(
        (studying): View =>
          studying ? { state: "ready", studying } : { state: "failed", reason: words.study_missing },
        (): View => ({ state: "failed", reason: words.study_failed }),
      );
      if (!isUnmounted) setView(opened);
    };
    void open();
    return () => {
      isUnmounted = true;
    };
  }, [deck]);

  const change = useCallback(
    async (next: (studying: Studying) => Promise<Studying>) => {
      // Ignore repeated key presses for the same card.
      if (view.state !== "ready" || handledView.current === view) return;
      handledView.current = view;
      try {
        const studying = await next(view.studying);
        setProblem(undefined);
        setView({ state: "ready", studying });
        await saveCounts(studying.deck.componentId, countDeckDue(studying, Date.now()));
        notify("library");
      } catch {
        setProblem(words.study_not_saved);
        handledView.current = undefined;
      }
    },
    [view, saveCounts],
  );
  return { view, problem, change };
}

function useKeys(keys: SessionKeys): void {
  // Layout effect: an immediate key press must not reach the previous card.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => handleSessionKey(event, keys);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [keys]);
}

function ShowButton({ onShow }: { onShow: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <Button ref={button} variant="primary" size="l" onClick={onShow}>
      {words.study_show} <Kbd>↵</Kbd>
    </Button>
  );
}

type Change = ReturnType<typeof useStudying>["change"];

interface StudyViewProps extends Pick<Props, "onLeave" | "showCard"> {
  studying: Studying;
  change: Change;
  next: ReactNode;
}

/** The current card or the summary, with the same shortcuts. */
function StudyView({ studying, change, onLeave, showCard, next }: StudyViewProps) {
  const { session, deck, isRevealed } = studying;
  const card = deck.cards.find(({ id }) => id === session.current);
  const gradeCurrent = (given: Grade) => void change((current) => grade(current, given));
  const send = (event: StudyEvent) => void change((current) => applyStudyEvent(current, event));
  const reveal = () => send({ type: "reveal" });
  const undoLast = () => send({ type: "undo" });
  useKeys({
    isEnabled: card !== undefined,
    isRevealed,
    reveal,
    grade: gradeCurrent,
    undo: undoLast,
    leave: onLeave,
  });
  return (
    <>
      {studying.isCached && <p className="study-note">{words.study_offline}</p>}
      {card ? (
        <CurrentCard studying={studying} card={card} onReveal={reveal} onGrade={gradeCurrent} />
      ) : (
        <Summary studying={studying} next={next} />
      )}
      <div className="study-actions">
        {card && isRevealed && card.citation !== null && (
          <Button variant="quiet" onClick={() => void showCard(card)}>
            {words.study_where}
          </Button>
        )}
        {session.answers.length > 0 && (
          <Button variant="quiet" onClick={undoLast}>
            {words.study_undo} <Kbd>Z</Kbd>
          </Button>
        )}
      </div>
    </>
  );
}

interface CurrentCardProps {
  studying: Studying;
  card: Flashcard;
  onReveal: () => void;
  onGrade: (given: Grade) => void;
}

function CurrentCard({ studying, card, onReveal, onGrade }: CurrentCardProps) {
  const { session, isRevealed } = studying;
  const { position, total } = sessionPosition(studying);
  const { section, question } = splitSectionLine(card);
  return (
    <>
      <p className="study-note">{interpolate(words.study_position, { at: position, total })}</p>
      <article className="study-card" key={`${card.id}:${session.answers.length}`}>
        {section !== null && (
          <p className="study-section" dir="auto">
            {section}
          </p>
        )}
        <h3 className="study-question" dir="auto">
          <CardText text={question} />
        </h3>
        <QuestionPicture card={card} isRevealed={isRevealed} />
        <div aria-live="polite">
          {isRevealed && (
            <div className="study-answer" dir="auto">
              <CardText text={card.answer} />
              <CardPicture address={card.answerImage} />
            </div>
          )}
        </div>
      </article>
      {isRevealed ? (
        <GradeButtons studying={studying} onGrade={onGrade} />
      ) : (
        <ShowButton key={card.id} onShow={onReveal} />
      )}
    </>
  );
}

function Summary({ studying, next }: Pick<StudyViewProps, "studying" | "next">) {
  const { session } = studying;
  const given = session.answers.length;
  const isLimit = session.state === "limit_reached";
  const message = isLimit ? words.study_limit : words.study_done;
  const count = given === 1 ? words.study_done_one : interpolate(words.study_done_many, { count: given });
  return (
    <>
      <p role="status">{given === 0 ? message : `${message} ${count}`}</p>
      {isLimit && <SeePlans />}
      {next}
    </>
  );
}

interface DeckProps extends Omit<Props, "decks"> {
  deck: DeckRef;
  next: ReactNode;
}

function DeckPanel({ deck, next, onLeave, showCard, saveCounts }: DeckProps) {
  const { view, problem, change } = useStudying(deck, saveCounts);
  const studying = view.state === "ready" ? view.studying : undefined;
  return (
    <section className="study" aria-label={words.study_title}>
      <div className="study-head">
        <h2>{studying?.deck.title ?? words.study_title}</h2>
        <Button variant="quiet" onClick={onLeave}>
          {words.study_back}
        </Button>
      </div>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {view.state === "loading" && <p role="status">{words.study_loading}</p>}
      {view.state === "failed" && <p role="alert">{view.reason}</p>}
      {studying && <StudyView studying={studying} change={change} onLeave={onLeave} showCard={showCard} next={next} />}
    </section>
  );
}

/** Studies decks card by card, as in the web app. */
export function StudyPanel({ decks, ...rest }: Props) {
  const [index, setIndex] = useState(0);
  const deck = decks[index];
  if (!deck) return null;
  const next = decks[index + 1] !== undefined && (
    <Button variant="primary" onClick={() => setIndex(index + 1)}>
      {words.study_next}
    </Button>
  );
  return <DeckPanel key={deck.componentId} deck={deck} next={next} {...rest} />;
}
