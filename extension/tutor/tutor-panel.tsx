import { useState } from "react";
import { ulid } from "ulid";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/button.tsx";
import { TextArea } from "#shared/ui/text-area.tsx";
import { words } from "#extension/kit/words.ts";
import { Answer } from "./answer.tsx";
import { askAbout, loadTalk, stopAnswer, withEvent } from "./ask.ts";
import "./tutor-panel.css";

interface Props {
  /** Keeps the page beside the panel and says what it became; undefined where that was not possible. */
  keepPage: () => Promise<{ pageId: string; address: string } | undefined>;
  show: (address: string, quote: string) => Promise<void>;
}

const blank = (_id: string, role: "user" | "assistant", text: string): Message => ({
  _id,
  threadId: "",
  parent: null,
  role,
  text,
  citations: [],
  followUps: [],
  status: role === "user" ? "done" : "writing",
  error: null,
  mode: "explain",
  ground: { kind: "everything" },
  selection: null,
  model: null,
  createdAt: 0,
});

/** What is said about the page, and asking on. */
function useTalk(keepPage: Props["keepPage"]) {
  const [talk, setTalk] = useState<readonly Message[]>([]);
  const [address, setAddress] = useState("");
  const [stage, setStage] = useState<"keeping" | "answering">();
  const [problem, setProblem] = useState<string>();

  const answer = async (question: string) => {
    setProblem(undefined);
    setStage("keeping");
    const page = await keepPage();
    if (!page) throw new Error(words.ask_not_kept);
    setAddress(page.address);
    const before = await loadTalk(page.pageId);
    const answerId = ulid();
    let message = blank(answerId, "assistant", "");
    const asked = [...before, blank(ulid(), "user", question)];
    setTalk([...asked, message]);
    setStage("answering");
    const parent = before.at(-1)?._id ?? null;
    for await (const event of askAbout({ pageId: page.pageId, text: question, answerId, parent })) {
      message = withEvent(message, event);
      setTalk([...asked, message]);
    }
  };
  /** Whether there is an answer now; where not, `problem` says why and the question may stay in its field. */
  const ask = async (question: string): Promise<boolean> => {
    if (question.trim() === "" || stage !== undefined) return false;
    try {
      await answer(question.trim());
      return true;
    } catch (error) {
      const isOurs = error instanceof Error && error.message === words.ask_not_kept;
      setProblem(isOurs ? words.ask_not_kept : (friendlyFailure(error)?.message ?? words.ask_failed));
      return false;
    } finally {
      setStage(undefined);
    }
  };
  return { talk, address, stage, problem, ask };
}

function AskForm({
  ask,
  stop,
  isBusy,
}: {
  ask: (text: string) => Promise<boolean>;
  stop: (() => void) | undefined;
  isBusy: boolean;
}) {
  const [text, setText] = useState("");
  const send = async () => {
    if (await ask(text)) setText("");
  };
  return (
    <form
      className="tutor-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        label={words.ask_label}
        hint={words.ask_hint}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {stop ? (
        <Button onClick={stop}>{words.ask_stop}</Button>
      ) : (
        <Button type="submit" variant="primary" pending={isBusy}>
          {words.ask}
        </Button>
      )}
    </form>
  );
}

/** The tutor beside a page: every answer stands on the page's own words, which it can light. */
export function TutorPanel({ keepPage, show }: Props) {
  const { talk, address, stage, problem, ask } = useTalk(keepPage);
  const writing = stage === "answering" ? talk.findLast(({ status }) => status === "writing") : undefined;

  return (
    <section className="tutor" aria-label={words.ask_title}>
      <h2>{words.ask_title}</h2>
      <div className="tutor-talk" aria-live="polite">
        {talk.map((message) => (
          <Answer key={message._id} message={message} onShow={(quote) => void show(address, quote)} />
        ))}
      </div>
      {stage !== undefined && (
        <p role="status" className="tutor-note">
          {stage === "keeping" ? words.ask_keeping : words.ask_thinking}
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div className="tutor-asks">
        <Button onClick={() => void ask(words.ask_explain_text)}>{words.ask_explain}</Button>
        <Button onClick={() => void ask(words.ask_summary_text)}>{words.ask_summary}</Button>
        <Button onClick={() => void ask(words.ask_quiz_text)}>{words.ask_quiz}</Button>
      </div>
      <AskForm
        ask={ask}
        isBusy={stage !== undefined}
        stop={writing && (() => void stopAnswer(writing._id).catch(() => undefined))}
      />
    </section>
  );
}
