import { fill } from "#shared/messages/fill.ts";
import { translateSent } from "#shared/messages/translate.ts";
import { inWordsHere } from "#shared/tutor/own-words.ts";
import type { AnswerCitation, Message } from "#shared/tutor/schema.ts";
import { AnswerText } from "#shared/ui/content/answer-text.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { words } from "#extension/words/words.ts";
import { Formula } from "#extension/ui/formula.tsx";

interface Props {
  message: Message;
  onShow: (cited: AnswerCitation) => void;
}

const maths = (latex: string, isBlock: boolean) => <Formula tex={latex} isBlock={isBlock} />;

/** Renders a message; the answer's text is never interpreted as HTML, links or images. */
export function Answer({ message, onShow }: Props) {
  const { role, text, error, citations } = message;
  const cite = (n: number) => {
    const cited = citations.find((citation) => citation.n === n);
    if (!cited) return null;
    const place = cited.place || words.cite_note;
    return (
      <CiteBadge
        place={place}
        label={fill(words.cite_label, { place })}
        quote={cited.quote}
        passage={cited.passage}
        source={cited.title}
        onOpen={() => onShow(cited)}
      />
    );
  };
  if (role === "user") return <p className="tutor-question">{text}</p>;
  return (
    <div className="tutor-answer">
      <AnswerText text={inWordsHere(text)} cite={cite} maths={maths} tableName={words.ask_table} />
      {error !== null && <p role="alert">{translateSent(error, message.errorReason ?? {})}</p>}
    </div>
  );
}
