import { useState } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { words } from "#extension/words/words.ts";
import { discard, saveDraft } from "../state.ts";
import type { Capture } from "../store.ts";

export interface DraftProps {
  capture: Capture;
  /** Position in the list, from 1; the latest draft comes first. */
  number: number;
}

/** Time range of a video clip. */
function Clip({ capture: { locator, notice } }: { capture: Capture }) {
  const { startMs, endMs } = locator ?? {};
  if (startMs === undefined || endMs === undefined) return null;
  const times = { from: formatTimecode(startMs), to: formatTimecode(endMs) };
  return (
    <p className="capture-about">
      {interpolate(words.clip_times, times)} {notice}
    </p>
  );
}

/** A proposed card: Enter saves it, Shift+Enter starts a new line. */
export function DraftCard({ capture, number }: DraftProps) {
  const [question, setQuestion] = useState(capture.card?.question ?? "");
  const [answer, setAnswer] = useState(capture.card?.answer ?? "");
  const isComplete = question.trim() !== "" && answer.trim() !== "";
  const save = () => {
    if (isComplete) void saveDraft(capture.id, { question: question.trim(), answer: answer.trim() });
  };
  return (
    <li>
      <form
        className="draft"
        aria-label={interpolate(words.draft_of, { number, title: capture.title })}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => {
          // Enter also confirms the text of an input method.
          if (event.nativeEvent.isComposing || event.target instanceof HTMLButtonElement) return;
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          save();
        }}
      >
        <Clip capture={capture} />
        <TextArea
          label={words.question}
          value={question}
          rows={2}
          autoFocus={number === 1}
          hint={capture.card?.question === "" ? words.draft_hint : undefined}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <TextArea label={words.answer} value={answer} rows={2} onChange={(event) => setAnswer(event.target.value)} />
        <div className="draft-actions">
          <Button type="submit" variant="primary" disabled={!isComplete}>
            {words.keep} <Kbd>↵</Kbd>
          </Button>
          <Button variant="quiet" onClick={() => void discard(capture)}>
            {words.drop}
          </Button>
        </div>
      </form>
    </li>
  );
}
