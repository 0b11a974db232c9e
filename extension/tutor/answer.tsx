import { Fragment } from "react";
import { fill } from "#shared/messages/fill.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { CiteBadge } from "#shared/ui/cite-badge.tsx";
import { words } from "#extension/kit/words.ts";

interface Props {
  message: Message;
  onShow: (quote: string) => void;
}

/** A message in plain paragraphs: what an engine wrote is text, and never markup of ours. */
export function Answer({ message, onShow }: Props) {
  const { role, text, error, citations } = message;
  const parts = (paragraph: string) =>
    paragraph.split(/(\[\^\d+\])/).map((part, at) => {
      const n = /^\[\^(\d+)\]$/.exec(part)?.[1];
      // The parts of a text have no names but their places.
      // oxlint-disable-next-line react/no-array-index-key
      if (n === undefined) return <Fragment key={at}>{part.replaceAll("**", "")}</Fragment>;
      const cited = citations.find((citation) => citation.n === Number(n));
      if (!cited) return null;
      const place = cited.place || words.cite_note;
      return (
        <CiteBadge
          // oxlint-disable-next-line react/no-array-index-key -- as above
          key={at}
          place={place}
          label={fill(words.cite_label, { place })}
          quote={cited.quote}
          source={cited.title}
          onOpen={() => onShow(cited.quote)}
        />
      );
    });
  return (
    <div className={role === "user" ? "tutor-question" : "tutor-answer"}>
      {text.split(/\n{2,}/).map((paragraph, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <p key={at}>{parts(paragraph)}</p>
      ))}
      {error !== null && <p role="alert">{error}</p>}
    </div>
  );
}
