import { type ReactNode, useId, useState } from "react";
import { fill } from "#shared/messages/fill.ts";
import { Button } from "#shared/ui/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { TextArea } from "#shared/ui/text-area.tsx";
import { words } from "#extension/kit/words.ts";
import { activeTab } from "#extension/platform/reading-tabs.ts";
import { capturePage, captureSelection } from "./gesture.ts";
import { showPassage } from "./showing.ts";
import { discard, editAgain, exportWaiting, keepDraft, openInLamplight, sendAgain, useCaptures } from "./state.ts";
import type { Capture } from "./store.ts";
import "./captures-panel.css";

const MAX_SHOWN = 100;

async function onActiveTab(work: (tabId: number) => Promise<unknown>): Promise<void> {
  const tab = await activeTab();
  if (tab) await work(tab.id);
}

function Actions() {
  return (
    <div className="capture-actions" role="group" aria-label={words.actions}>
      <Button variant="primary" onClick={() => void onActiveTab((id) => captureSelection(id))}>
        {words.capture_card}
      </Button>
      <Button onClick={() => void onActiveTab(capturePage)}>{words.capture_page}</Button>
    </div>
  );
}

/** A proposed card: Enter keeps it, Shift and Enter begin a new line. */
function Draft({ capture }: { capture: Capture }) {
  const [question, setQuestion] = useState(capture.card?.question ?? "");
  const [answer, setAnswer] = useState(capture.card?.answer ?? "");
  const isWhole = question.trim() !== "" && answer.trim() !== "";
  const keep = () => {
    if (isWhole) void keepDraft(capture.id, { question: question.trim(), answer: answer.trim() });
  };
  return (
    <li>
      <form
        className="draft"
        aria-label={capture.title}
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.target instanceof HTMLButtonElement) return;
          event.preventDefault();
          keep();
        }}
      >
        <TextArea
          label={words.question}
          value={question}
          rows={2}
          autoFocus
          hint={capture.card?.question === "" ? words.draft_hint : undefined}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <TextArea label={words.answer} value={answer} rows={2} onChange={(event) => setAnswer(event.target.value)} />
        <div className="draft-does">
          <Button type="submit" variant="primary" disabled={!isWhole}>
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

function Row({ capture }: { capture: Capture }) {
  const { kind, state, title, address, card, problem, notice } = capture;
  const name = card?.question || title || address;
  return (
    <li className="capture">
      <p className="capture-name">{name}</p>
      <p className="capture-about">
        {words[`kinds_${kind}`]} · {words[`state_${state}`]}
      </p>
      {problem !== null && <p className="capture-problem">{problem}</p>}
      {notice !== null && <p className="capture-about">{notice}</p>}
      <RowActions capture={capture} name={name} />
    </li>
  );
}

/** A card that has not arrived can be written anew. */
const isEditable = ({ card, state }: Capture) => card !== null && (state === "ready" || state === "refused");

function RowActions({ capture, name }: { capture: Capture; name: string }) {
  const { state, address, locator } = capture;
  return (
    <div className="capture-does">
      {state === "saved" && (
        <Button
          variant="quiet"
          aria-label={fill(words.open_of, { title: name })}
          onClick={() => void openInLamplight(capture)}
        >
          {words.open}
        </Button>
      )}
      {locator?.quote !== undefined && (
        <Button
          variant="quiet"
          aria-label={fill(words.show_of, { title: name })}
          onClick={() => void showPassage(address, { ...locator, quote: locator.quote ?? "" })}
        >
          {words.show}
        </Button>
      )}
      {state === "refused" && (
        <Button
          variant="quiet"
          aria-label={fill(words.retry_of, { title: name })}
          onClick={() => void sendAgain(capture.id)}
        >
          {words.retry}
        </Button>
      )}
      {isEditable(capture) && (
        <Button
          variant="quiet"
          aria-label={fill(words.edit_of, { title: name })}
          onClick={() => void editAgain(capture.id)}
        >
          {words.edit}
        </Button>
      )}
      {state !== "saved" && state !== "sending" && (
        <Button
          variant="quiet"
          aria-label={fill(words.discard_of, { title: name })}
          onClick={() => void discard(capture)}
        >
          {words.discard}
        </Button>
      )}
    </div>
  );
}

function saveFile(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "lamplight-captures.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Capturing from the panel, the cards that wait for a word, and everything that was captured with its state; what other
 * features show stands before that list, which may be long.
 */
export function CapturesPanel({ children }: { children: ReactNode }) {
  const held = useCaptures();
  const heading = useId();
  if (!held) return null;
  const drafts = held.captures.filter(({ state }) => state === "draft");
  const others = held.captures.filter(({ state }) => state !== "draft");
  const waiting = others.filter(({ state }) => state !== "saved");
  return (
    <>
      <Actions />
      <p role="status" className="capture-notice">
        {held.notice}
      </p>
      {drafts.length > 0 && (
        <section aria-label={words.drafts}>
          <ul role="list" className="drafts">
            {drafts.map((capture) => (
              <Draft key={capture.id} capture={capture} />
            ))}
          </ul>
        </section>
      )}
      {children}
      <section aria-labelledby={heading} className="captures">
        <h2 id={heading}>{words.captures}</h2>
        {waiting.length > 0 && (
          <div className="capture-waiting">
            <p role="status">
              {waiting.length === 1 ? words.waiting_one : fill(words.waiting_many, { count: waiting.length })}
            </p>
            <Button variant="quiet" onClick={() => void exportWaiting(held.captures).then(saveFile)}>
              {words.export}
            </Button>
          </div>
        )}
        {others.length === 0 && drafts.length === 0 && <p className="capture-about">{words.captures_none}</p>}
        <ul role="list">
          {others.slice(0, MAX_SHOWN).map((capture) => (
            <Row key={capture.id} capture={capture} />
          ))}
        </ul>
      </section>
    </>
  );
}
