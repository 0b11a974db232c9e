import { useEffect, useId, useRef, useState } from "react";
import { PhaseLine } from "./phase-line.tsx";
import { prepareText } from "./prepare.ts";
import { ToolProblem, type Cards, type Source } from "./use-cards.ts";
import { word } from "./words.ts";

/** A text with fewer words has no fact for a card. */
const MIN_WORDS = 8;

/**
 * Splits text into passages. The module for this is loaded with the first text, because the page does not need it
 * before.
 */
export async function readText(text: string): Promise<Source> {
  if (text.trim().split(/\s+/).length < MIN_WORDS) throw new ToolProblem(word("error_short"));
  const { passagesFromText } = await import("#shared/text/plain-text.ts");
  return { passages: passagesFromText(text) };
}

/** Makes cards from pasted text. */
export function TextSource({ cards }: { cards: Cards }) {
  const [text, setText] = useState("");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // Text that was pasted before the script was ready.
  // oxlint-disable-next-line react/set-state-in-effect -- the page is rendered without input
  useEffect(() => setText(field.current?.value ?? ""), []);
  const isWorking = cards.phase.kind === "working";
  const makeFrom = (source: string) => void cards.make("", () => readText(source));
  const trySample = () => {
    const sample = word("sample_text");
    setText(sample);
    makeFrom(sample);
  };
  return (
    <form
      className="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        makeFrom(text);
      }}
    >
      <label htmlFor={id}>{word("text_label")}</label>
      <textarea
        ref={field}
        id={id}
        className="tool-text"
        rows={14}
        value={text}
        placeholder={word("text_placeholder")}
        aria-describedby={`${id}-hint`}
        onFocus={prepareText}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="tool-hint" id={`${id}-hint`}>
        {word("text_hint")}
      </p>
      <div className="tool-actions">
        <button type="submit" className="button button-primary button-l" disabled={isWorking}>
          {word("make")}
        </button>
        {text === "" && (
          <button type="button" className="button button-quiet" onClick={trySample}>
            {word("sample")}
          </button>
        )}
      </div>
      <PhaseLine cards={cards} />
    </form>
  );
}
