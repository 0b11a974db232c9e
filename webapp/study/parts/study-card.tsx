import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import { isRich } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/cite-badge.tsx";
import { CardImage, CardText } from "#webapp/kit/card-text.tsx";
import { openCitation, opensHere } from "#webapp/kit/citation-door.ts";
import { sayWhen } from "#webapp/kit/when.ts";
import { litWords } from "../lit-words.ts";
import type { Studying } from "../view.ts";

function Question({ card }: { card: Flashcard }) {
  return (
    <>
      <h1 className="study-question">
        <CardText text={card.question} />
      </h1>
      <CardImage address={card.questionImage} />
    </>
  );
}

function Answer({ card, quote }: { card: Flashcard; quote: string | null }) {
  const { answer } = card;
  const lit = isRich(answer) ? undefined : litWords(answer, quote);
  return (
    <div className="study-answer">
      {lit ? (
        <>
          {answer.slice(0, lit.start)}
          <span className="lit">{answer.slice(lit.start, lit.end)}</span>
          {answer.slice(lit.end)}
        </>
      ) : (
        <CardText text={answer} />
      )}
      <CardImage address={card.answerImage} />
    </div>
  );
}

interface SourceProps {
  citation: NonNullable<ReturnType<typeof parseCitation>>;
  sources: Studying["deck"]["sources"];
  lastSeen: string;
}

/** What a press does: the place is opened with the words lit, or, where it is not one of ours, the words are shown here. */
function labelOf(citation: SourceProps["citation"]) {
  if (opensHere(citation)) return "study.cite_open";
  return citation.quote === null ? "study.cite_label" : "study.cite_show";
}

function Source({ citation, sources, lastSeen }: SourceProps) {
  const [isOpen, setOpen] = useState(false);
  const source = "componentId" in citation ? sources.get(citation.componentId) : undefined;
  const name = source ?? t("study.cite_unnamed");
  const isPage = citation.type === "pdf_citation";
  const place = isPage ? t("study.cite_place", { page: citation.page }) : t("study.cite_note");
  const quote = citation.quote ?? undefined;
  return (
    <>
      <p className="study-source">
        <CiteBadge
          place={place}
          label={t(labelOf(citation), { place, source: name })}
          quote={isOpen ? undefined : quote}
          source={source}
          onOpen={() => (opensHere(citation) ? openCitation(citation) : setOpen(!isOpen))}
        />
        {source !== undefined && <span className="study-source-name">{source}</span>}
        <span className="study-last-seen">{lastSeen}</span>
      </p>
      {isOpen && quote !== undefined && (
        <blockquote className="study-quote">
          <span className="lit">{quote}</span>
        </blockquote>
      )}
    </>
  );
}

/** The card on its sheet; the answer and where it stands appear when they are asked for. */
export function StudyCard({ card, view }: { card: Flashcard; view: Studying }) {
  const { isRevealed, schedules, shownAt, deck } = view;
  const citation = card.citation === null ? undefined : parseCitation(card.citation);
  const lastReviewedAt = schedules.get(card.id)?.lastReviewedAt;
  const lastSeen =
    lastReviewedAt === undefined || lastReviewedAt === null
      ? t("study.first_time")
      : t("study.last_seen", { when: sayWhen(lastReviewedAt, shownAt) });
  return (
    <article className="study-card">
      <Question card={card} />
      <div className="study-revealed" aria-live="polite">
        {isRevealed && (
          <>
            <hr />
            <Answer card={card} quote={citation?.quote ?? null} />
            {citation ? (
              <Source citation={citation} sources={deck.sources} lastSeen={lastSeen} />
            ) : (
              <p className="study-source">
                <span className="study-last-seen">{lastSeen}</span>
              </p>
            )}
          </>
        )}
      </div>
    </article>
  );
}
