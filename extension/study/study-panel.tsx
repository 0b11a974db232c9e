import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { fill } from "#shared/messages/fill.ts";
import { cardsLeft } from "#shared/study/session.ts";
import type { Grade } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { tell } from "#extension/app/channel.ts";
import { words } from "#extension/words/words.ts";
import { CardPicture, CardText, QuestionPicture } from "./card-text.tsx";
import { GradeButtons } from "./grade-buttons.tsx";
import { type DeckName, dueIn, grade, openDeck, type Studying, undo } from "./studying.ts";
import "./study-panel.css";

interface Props {
  /** Decks to study in order. */
  decks: readonly DeckName[];
  onLeave: () => void;
  /** Opens the source of a card. */
  showCard: (card: Flashcard) => Promise<void>;
  /** Receives the remaining counts of a deck. */
  count: (componentId: string, counts: { due: number; fresh: number }) => Promise<void>;
}

type View = { state: "loading" } | { state: "failed"; why: string } | { state: "ready"; studying: Studying };

/** Study state of a deck; each grade is stored before the next card is shown. */
function useStudying(deck: DeckName, count: Props["count"]) {
  const [view, setView] = useState<View>({ state: "loading" });
  const [problem, setProblem] = useState<string>();
  const actedOn = useRef<typeof view>(undefined);
  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const studying = await openDeck(deck).catch(() => null);
      if (isLeft) return;
      if (studying) setView({ state: "ready", studying });
      else setView({ state: "failed", why: studying === null ? words.study_failed : words.study_missing });
    };
    void open();
    return () => {
      isLeft = true;
    };
  }, [deck]);

  const change = useCallback(
    async (next: (studying: Studying) => Promise<Studying>) => {
      // Ignore repeated key presses for the same card.
      if (view.state !== "ready" || actedOn.current === view) return;
      actedOn.current = view;
      try {
        const studying = await next(view.studying);
        setProblem(undefined);
        setView({ state: "ready", studying });
        await count(studying.componentId, dueIn(studying));
        tell("library");
      } catch {
        setProblem(words.study_not_kept);
        actedOn.current = undefined;
      }
    },
    [view, count],
  );
  return { view, problem, change };
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [role=menu]") !== null;

interface Keys {
  isRevealed: boolean;
  grade: (given: Grade) => void;
  undo: () => void;
  leave: () => void;
}

/** Shortcuts: 1 to 4 grade, Z undoes, Escape leaves. Space and Enter activate the focused button. */
function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOther = event.defaultPrevented || event.repeat || event.altKey || event.ctrlKey || event.metaKey;
      if (isOther || isTyping(event.target)) return;
      if (event.key === "Escape") keys.leave();
      else if (event.key.toLowerCase() === "z") keys.undo();
      else if (keys.isRevealed && /^[1-4]$/.test(event.key)) keys.grade(Number(event.key) as Grade);
      else return;
      event.preventDefault();
    };
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

interface StudiedProps extends Pick<Props, "onLeave" | "showCard"> {
  studying: Studying;
  change: Change;
  next: ReactNode;
}

/** The current card or the summary, with the same shortcuts. */
function Studied({ studying, change, onLeave, showCard, next }: StudiedProps) {
  const { session, cards, isRevealed } = studying;
  const card = cards.find(({ id }) => id === session.current);
  const give = (given: Grade) => void change((now) => grade(now, given));
  const takeBack = () => void change(undo);
  useKeys({ isRevealed, grade: give, undo: takeBack, leave: onLeave });
  return (
    <>
      {studying.isFromDevice && <p className="study-note">{words.study_offline}</p>}
      {card ? (
        <Asked
          studying={studying}
          card={card}
          onReveal={() => void change(async (now) => ({ ...now, isRevealed: true }))}
          onGrade={give}
        />
      ) : (
        <Done studying={studying} next={next} />
      )}
      <div className="study-does">
        {card && isRevealed && card.citation !== null && (
          <Button variant="quiet" onClick={() => void showCard(card)}>
            {words.study_where}
          </Button>
        )}
        {session.answers.length > 0 && (
          <Button variant="quiet" onClick={takeBack}>
            {words.study_undo} <Kbd>Z</Kbd>
          </Button>
        )}
      </div>
    </>
  );
}

interface AskedProps {
  studying: Studying;
  card: Flashcard;
  onReveal: () => void;
  onGrade: (given: Grade) => void;
}

function Asked({ studying, card, onReveal, onGrade }: AskedProps) {
  const { session, isRevealed, shownAt } = studying;
  const at = session.answers.length + 1;
  const position = fill(words.study_position, { at, total: at + cardsLeft(session, shownAt) });
  return (
    <>
      <p className="study-note">{position}</p>
      <article className="study-card" key={`${card.id}:${session.answers.length}`}>
        <h3 className="study-question" dir="auto">
          <CardText text={card.question} />
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
        <GradeButtons studying={studying} cardId={card.id} onGrade={onGrade} />
      ) : (
        <ShowButton key={card.id} onShow={onReveal} />
      )}
    </>
  );
}

function Done({ studying, next }: Pick<StudiedProps, "studying" | "next">) {
  const { session } = studying;
  const given = session.answers.length;
  const why = session.state === "limit_reached" ? words.study_limit : words.study_done;
  const count = given === 1 ? words.study_done_one : fill(words.study_done_many, { count: given });
  return (
    <>
      <p role="status">{given === 0 ? why : `${why} ${count}`}</p>
      {next}
    </>
  );
}

interface DeckProps extends Omit<Props, "decks"> {
  deck: DeckName;
  next: ReactNode;
}

function DeckPanel({ deck, next, onLeave, showCard, count }: DeckProps) {
  const { view, problem, change } = useStudying(deck, count);
  const studying = view.state === "ready" ? view.studying : undefined;
  return (
    <section className="study" aria-label={words.study_title}>
      <div className="study-head">
        <h2>{studying?.title ?? words.study_title}</h2>
        <Button variant="quiet" onClick={onLeave}>
          {words.study_back}
        </Button>
      </div>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {view.state === "loading" && <p role="status">{words.study_loading}</p>}
      {view.state === "failed" && <p role="alert">{view.why}</p>}
      {studying && <Studied studying={studying} change={change} onLeave={onLeave} showCard={showCard} next={next} />}
    </section>
  );
}

/** Studies decks card by card, as in the web app. */
export function StudyPanel({ decks, ...rest }: Props) {
  const [at, setAt] = useState(0);
  const deck = decks[at];
  if (!deck) return null;
  const next = decks[at + 1] !== undefined && (
    <Button variant="primary" onClick={() => setAt(at + 1)}>
      {words.study_next}
    </Button>
  );
  return <DeckPanel key={deck.componentId} deck={deck} next={next} {...rest} />;
}
