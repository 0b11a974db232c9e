import { parseCitation } from "#shared/citations.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { translateSent } from "#shared/messages/translate.ts";
import { isEmptyAnswer } from "#shared/tutor/message-parts.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { AnswerCitation, Message } from "#shared/tutor/schema.ts";
import { createClaimCheck, mayHaveUnsupportedClaims } from "#shared/tutor/unsupported-claims.ts";
import { AnswerText } from "#shared/ui/content/answer-text.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { words } from "#extension/words/words.ts";
import { Formula } from "#extension/ui/formula.tsx";
import { AnswerRating } from "./answer-rating.tsx";

interface Props {
  message: Message;
  onShow: (answerCitation: AnswerCitation) => void;
}

const maths = (latex: string, isBlock: boolean) => <Formula tex={latex} isBlock={isBlock} />;

/** The location in the source. A page is in the student's language; a time or an address is the same in each. */
function formatLocation({ citation, place }: AnswerCitation): string {
  // The place is empty if the source has no locations.
  const parsed = place === "" ? undefined : parseCitation(citation);
  if (parsed?.type === "pdf_citation") return interpolate(words.cite_page, { page: parsed.page });
  return place || words.cite_note;
}

function createUnsupportedNote(message: Message) {
  if (!mayHaveUnsupportedClaims(message)) return undefined;
  const isUnsupported = createClaimCheck(message.parts);
  return (raw: string) => (isUnsupported(raw) ? <span className="answer-outside">{words.ask_outside}</span> : null);
}

const canRate = (message: Message) =>
  message.status !== "writing" && message.mode !== "plan" && message.text.trim() !== "" && !isEmptyAnswer(message);

/** Renders a message; the answer's text is never interpreted as HTML, links or images. */
export function Answer({ message, onShow }: Props) {
  const { role, text, error, citations } = message;
  const cite = (n: number) => {
    const answerCitation = citations.find((citation) => citation.n === n);
    if (!answerCitation) return null;
    const location = formatLocation(answerCitation);
    return (
      <CiteBadge
        place={location}
        label={interpolate(words.cite_label, { place: location })}
        quote={answerCitation.quote}
        passage={answerCitation.passage}
        source={answerCitation.title}
        onOpen={() => onShow(answerCitation)}
      />
    );
  };
  if (role === "user") return <p className="tutor-question">{text}</p>;
  return (
    <div className="tutor-answer">
      <AnswerText
        text={translateAnswer(message)}
        cite={cite}
        maths={maths}
        after={createUnsupportedNote(message)}
        tableName={words.ask_table}
      />
      {canRate(message) && <AnswerRating message={message} />}
      {error !== null && <p role="alert">{translateSent(error, message.errorReason ?? {})}</p>}
    </div>
  );
}
