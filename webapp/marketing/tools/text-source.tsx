import { useEffect, useId, useRef, useState } from "react";
import { PhaseLine } from "./phase-line.tsx";
import { prepareText } from "./prepare.ts";
import { readText } from "./readers/read-text.ts";
import type { Cards } from "./use-cards.ts";
import { word } from "./words.ts";

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
