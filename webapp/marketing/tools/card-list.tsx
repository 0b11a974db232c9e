import { useEffect, useState } from "react";
import { ToolCardRow } from "./card-row.tsx";
import { SaveResult } from "./set/save-result.tsx";
import { prepareDownloads } from "./prepare.ts";
import { hasCards } from "./set/card-set.ts";
import { storePendingCards } from "./set/store-pending-cards.ts";
import { fullQuestion } from "./tool-cards.ts";
import type { Cards, CardsSource } from "./use-cards.ts";
import { useReveal } from "./use-reveal.ts";
import { countWord, word } from "./words.ts";

/** What an account gets: cards written by hand have no passages, and only some tools read a file. */
const keepTexts = {
  hand: "keep_text_hand",
  text: "keep_text_words",
  youtube: "keep_text_words",
  pdf: "keep_text",
  image: "keep_text",
  office: "keep_text",
} as const satisfies Record<CardsSource, string>;

/** The cards that were made, to edit, download or add to an account. */
export function ToolCardList({ cards, tool }: { cards: Cards; tool: CardsSource }) {
  const { list, title, source, setTitle, removed, resultCount } = cards;
  const section = useReveal<HTMLElement>(resultCount);
  const filled = list
    .filter(({ question, answer }) => question.trim() !== "" && answer.trim() !== "")
    .map((card) => ({ ...card, question: fullQuestion(card) }));
  if (list.length === 0 && !removed)
    return (
      <section className="tool-result tool-empty" aria-label={word("cards")}>
        <ReplacedNote cards={cards} />
        <h2>{word("empty_title")}</h2>
        <p>{word("empty_text")}</p>
        <ExampleCard />
      </section>
    );
  const name = title.trim() || word("untitled");
  return (
    <section ref={section} tabIndex={-1} className="tool-result" aria-label={word("cards")}>
      <header className="tool-result-head">
        <div>
          <textarea
            className="tool-title"
            aria-label={word("title")}
            rows={1}
            value={title}
            placeholder={word("untitled")}
            maxLength={120}
            onChange={(event) => setTitle(event.target.value.replaceAll("\n", " "))}
          />
          <p className="tool-count">{countWord("cards", filled.length)}</p>
        </div>
        <Downloads name={name} cards={filled} />
      </header>
      <ReplacedNote cards={cards} />
      <ul role="list" className="tool-cards">
        {list.map((card, index) => (
          <ToolCardRow key={card.id} card={card} number={index + 1} cards={cards} />
        ))}
      </ul>
      <CardListActions cards={cards} />
      <SaveResult
        title={word("keep_title")}
        text={word(keepTexts[tool])}
        label={word("keep")}
        isDisabled={filled.length === 0}
        store={() => {
          const pageId = storePendingCards({ cards: filled, title: name, source, pageId: cards.pageId });
          if (pageId !== undefined) cards.setPageId(pageId);
          return pageId !== undefined;
        }}
      />
    </section>
  );
}

/** Adds a card, starts over, and offers a card that was removed. */
function CardListActions({ cards: { list, title, source, removed, undo, add, startOver } }: { cards: Cards }) {
  return (
    <div className="tool-actions tool-add">
      <button type="button" className="button button-secondary" onClick={add}>
        {word("add")}
      </button>
      {hasCards({ cards: list, title, source }) && (
        <button type="button" className="button button-quiet" onClick={startOver}>
          {word("start_over")}
        </button>
      )}
      <span role="status">
        {removed && (
          <>
            {word("removed")}{" "}
            <button type="button" className="button button-quiet" onClick={undo}>
              {word("undo")}
            </button>
          </>
        )}
      </span>
    </div>
  );
}

/** Offers the cards that others took the place of. */
function ReplacedNote({ cards: { replaced, undoReplace } }: { cards: Cards }) {
  return (
    <p role="status" className="tool-replaced">
      {replaced && (
        <>
          {word("replaced")}{" "}
          <button type="button" className="button button-quiet" onClick={undoReplace}>
            {word("replaced_undo")}
          </button>
        </>
      )}
    </p>
  );
}

/** An example, shown until there are cards. */
const ExampleCard = () => (
  <figure className="tool-example">
    <figcaption>{word("example")}</figcaption>
    <p className="tool-example-question">{word("example_question")}</p>
    <p>
      {word("example_answer")} <span className="cite-badge">{word("source")}</span>
    </p>
    <blockquote className="tool-quote">
      <p>
        {word("example_before")} <span className="lit">{word("example_quote")}</span>
      </p>
    </blockquote>
  </figure>
);

interface ResultProps {
  name: string;
  cards: Cards["list"];
}

function Downloads({ name, cards }: ResultProps) {
  const [problem, setProblem] = useState<string>();
  const isEmpty = cards.length === 0;
  useEffect(() => {
    if (!isEmpty) prepareDownloads();
  }, [isEmpty]);
  const save = async (format: "anki" | "csv" | "markdown") => {
    setProblem(undefined);
    try {
      const { downloadCards } = await import("./export/download-cards.ts");
      await downloadCards(name, cards, format);
    } catch {
      setProblem(word("error_load"));
    }
  };
  return (
    <div className="tool-downloads" role="group" aria-label={word("download")}>
      <span aria-hidden="true">{word("download")}</span>
      {(["anki", "csv", "markdown"] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="button button-secondary"
          disabled={isEmpty}
          onClick={() => void save(format)}
        >
          {word(format)}
        </button>
      ))}
      <button type="button" className="button button-secondary" disabled={isEmpty} onClick={() => window.print()}>
        {word("print")}
      </button>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </div>
  );
}
