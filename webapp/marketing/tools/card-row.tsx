import { useState } from "react";
import { MAX_PENDING_SIDE } from "#shared/marketing/pending-cards.ts";
import type { ToolCard } from "./tool-cards.ts";
import type { Cards } from "./use-cards.ts";
import { word } from "./words.ts";

interface Props {
  card: ToolCard;
  number: number;
  cards: Cards;
}

/** One card, whose sides can be edited. Its badge shows the passage that the card comes from. */
export function ToolCardRow({ card, number, cards: { edit, remove } }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { id, section, question, answer, quote, page } = card;
  const place = page === undefined ? word("source") : word("page", { page });
  return (
    <li className="tool-card">
      <div>
        {section !== undefined && <p className="tool-section">{section}</p>}
        <textarea
          aria-label={word("question", { number })}
          className="tool-side tool-question"
          rows={1}
          value={question}
          maxLength={MAX_PENDING_SIDE}
          placeholder={word("question_placeholder")}
          onChange={(event) => edit(id, { question: event.target.value })}
        />
      </div>
      <div className="tool-answer">
        <textarea
          aria-label={word("answer", { number })}
          className="tool-side"
          rows={1}
          value={answer}
          maxLength={MAX_PENDING_SIDE}
          placeholder={word("answer_placeholder")}
          onChange={(event) => edit(id, { answer: event.target.value })}
        />
        {quote !== undefined && (
          <button
            type="button"
            className="cite-badge"
            aria-expanded={isOpen}
            aria-label={`${place}: ${word("show_source", { number })}`}
            onClick={() => setOpen(!isOpen)}
          >
            {place}
          </button>
        )}
      </div>
      <button type="button" className="tool-remove" aria-label={word("remove", { number })} onClick={() => remove(id)}>
        <svg
          viewBox="0 0 24 24"
          width="18"
          height="18"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M6 6l12 12M18 6L6 18" />
        </svg>
      </button>
      {isOpen && <Quote card={card} />}
    </li>
  );
}

function Quote({ card: { quote = "", passage = quote, page } }: { card: ToolCard }) {
  const start = Math.max(0, passage.indexOf(quote));
  const isFound = passage.includes(quote);
  return (
    <blockquote className="tool-quote">
      <p className="tool-quote-place">{page === undefined ? word("source_quote") : word("page_quote", { page })}</p>
      <p>
        {isFound && passage.slice(0, start)}
        <span className="lit">{quote}</span>
        {isFound && passage.slice(start + quote.length)}
      </p>
    </blockquote>
  );
}
