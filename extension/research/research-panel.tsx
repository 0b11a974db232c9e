import { type KeyboardEvent, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { depthLimits } from "#shared/research/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { listen } from "#extension/app/channel.ts";
import { SeePlans } from "#extension/ui/see-plans.tsx";
import { words } from "#extension/words/words.ts";
import {
  getResearch,
  type PanelResearch,
  startResearch,
  subscribeToResearch,
  syncResearch,
} from "./followed-research.ts";
import { discardResearchDraft, saveResearchDraft } from "./research-draft.ts";
import { FollowedSession, type SessionLinks } from "./followed-session.tsx";
import "./research-panel.css";

interface Props extends SessionLinks {
  isConnected: boolean;
  /** The selected text in the active tab; null if there is none or the tab cannot be read. */
  readSelection: () => Promise<string | null>;
}

function useResearch(): PanelResearch {
  useEffect(() => {
    const sync = () => void syncResearch();
    const stops = [listen("research", sync), listen("account", sync)];
    sync();
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return useSyncExternalStore(subscribeToResearch, getResearch);
}

const cost = interpolate(words.research_cost, {
  minutes: depthLimits.quick.minutes,
  sources: depthLimits.quick.pages,
});

/** Lets the student edit the question before sending it; questions back to the student are shown above the field. */
function QuestionForm({ initialText, research }: { initialText: string; research: PanelResearch }) {
  const { dialogue, isSending, refusal, isLimit } = research;
  const [text, setText] = useState(initialText);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void startResearch(text);
  };
  return (
    <form
      className="research-form"
      onSubmit={(event) => {
        event.preventDefault();
        void startResearch(text);
      }}
    >
      {dialogue.map((message) => (
        <p key={message.text} className="research-turn" data-role={message.role} dir="auto">
          {message.text}
        </p>
      ))}
      <TextArea
        label={dialogue.length > 0 ? words.research_answer : words.research_question}
        hint={cost}
        rows={3}
        autoFocus
        maxLength={16_000}
        // A question back to the student replaces the field.
        readOnly={isSending}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {isLimit && <SeePlans />}
      <div className="research-buttons">
        <Button type="submit" variant="primary" pending={isSending}>
          {words.research_start}
        </Button>
        <Button variant="quiet" onClick={() => void discardResearchDraft()}>
          {words.research_discard}
        </Button>
      </div>
    </form>
  );
}

/** A question that was stored before the extension was connected. */
function WaitingQuestion({ text }: { text: string }) {
  return (
    <section className="research" aria-label={words.research_title}>
      <h2>{words.research_title}</h2>
      <p className="research-note">{words.research_signed_out}</p>
      <p dir="auto">{text}</p>
    </section>
  );
}

/** A research session that is started from the panel and followed there. */
export function ResearchPanel({ isConnected, readSelection, openCitation, openSession }: Props) {
  const research = useResearch();
  const { draft, dialogue, sessionId } = research;
  const startDraft = useCallback(async () => saveResearchDraft((await readSelection()) ?? ""), [readSelection]);
  if (!isConnected) return draft && <WaitingQuestion text={draft.text} />;
  return (
    <section className="research" aria-label={words.research_title}>
      <h2>{words.research_title}</h2>
      {draft ? (
        <QuestionForm
          key={`${draft.at} ${dialogue.length}`}
          initialText={dialogue.length > 0 ? "" : draft.text}
          research={research}
        />
      ) : (
        <div className="research-buttons">
          <Button onClick={() => void startDraft()}>{words.research_this}</Button>
          {sessionId === undefined && <p className="research-note">{words.research_hint}</p>}
        </div>
      )}
      {sessionId !== undefined && (
        <FollowedSession research={research} openCitation={openCitation} openSession={openSession} />
      )}
    </section>
  );
}
