import type { ReactNode } from "react";
import { parseCitation } from "#shared/citations.ts";
import { isRich } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import { CardImage, CardText } from "#webapp/flashcards/card-text.tsx";
import { CardSource } from "#webapp/flashcards/card-source.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { QuestionPicture } from "#webapp/flashcards/question-picture.tsx";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { findQuotedWords } from "../quoted-words.ts";
import type { ActiveStudy } from "../session/study-view.ts";

function Question({ card, isRevealed }: { card: Flashcard; isRevealed: boolean }) {
  const { question } = splitSectionLine(card);
  return (
    <>
      <SectionLine card={card} />
      <h1 className="study-question" dir="auto">
        <CardText text={question} />
      </h1>
      <QuestionPicture card={card} isRevealed={isRevealed} />
    </>
  );
}

function Answer({ card, quote }: { card: Flashcard; quote: string | null }) {
  const { answer } = card;
  const quoted = isRich(answer) ? undefined : findQuotedWords(answer, quote);
  return (
    <div className="study-answer" dir="auto">
      {quoted ? (
        <>
          {answer.slice(0, quoted.start)}
          <span className="lit">{answer.slice(quoted.start, quoted.end)}</span>
          {answer.slice(quoted.end)}
        </>
      ) : (
        <CardText text={answer} />
      )}
      <CardImage address={card.answerImage} />
    </div>
  );
}

/** The card; its answer and source are shown after revealing. */
export function StudyCard({ card, view, hint }: { card: Flashcard; view: ActiveStudy; hint: ReactNode }) {
  const { isRevealed, schedules, shownAt, deck } = view;
  const citation = card.citation === null ? undefined : parseCitation(card.citation);
  const lastReviewedAt = schedules.get(card.id)?.lastReviewedAt;
  const lastSeen =
    lastReviewedAt === undefined || lastReviewedAt === null
      ? t("study.first_time")
      : t("study.last_seen", { when: formatRelativeDate(lastReviewedAt, shownAt) });
  return (
    <article className="study-card">
      <Question card={card} isRevealed={isRevealed} />
      {!isRevealed && hint}
      <div className="study-revealed" aria-live="polite">
        {isRevealed && (
          <>
            <hr />
            <Answer card={card} quote={citation?.quote ?? null} />
            <CardSource citation={card.citation} sources={deck.sources} note={lastSeen} />
          </>
        )}
      </div>
    </article>
  );
}
