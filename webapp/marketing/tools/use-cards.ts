import { useRef, useState } from "react";
import type { EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { makeToolCards, type ToolCard } from "./tool-cards.ts";
import { countWord, word } from "./words.ts";

/** Where the work is. `problem` is a sentence for the reader. */
export type Phase =
  | { kind: "idle" }
  | { kind: "working"; text: string }
  | { kind: "done"; text: string; note: string | undefined }
  | { kind: "failed"; problem: string };

export interface Source {
  passages: readonly Passage[];
  note?: string;
}

/** Reports what is being done, in words. */
export type Report = (text: string) => void;
export type ReadSource = (report: Report, signal: AbortSignal) => Promise<Source>;

/** A failure whose sentence is for the reader. */
export class ToolProblem extends Error {}

const notices: Partial<Record<EngineNotice, () => string>> = {
  only_emphasised_terms: () => word("not_english"),
  language_not_supported: () => word("not_supported"),
};

const emptyCard = (id: number): ToolCard => ({ id, question: "", answer: "" });

export type Cards = ReturnType<typeof useCards>;

/** The cards of a tool, how they are made and how they are changed. */
// oxlint-disable-next-line max-lines-per-function -- the state of one tool
export function useCards(byHand: boolean) {
  const [list, setList] = useState<readonly ToolCard[]>(() => (byHand ? [emptyCard(1), emptyCard(2)] : []));
  const [title, setTitle] = useState("");
  const [phase, setPhase] = useState<Phase>({ kind: "idle" });
  const [removed, setRemoved] = useState<{ card: ToolCard; at: number }>();
  const nextId = useRef(byHand ? 3 : 1);
  const work = useRef<AbortController>(undefined);

  // oxlint-disable-next-line complexity -- one line for each outcome
  const make = async (name: string, read: ReadSource) => {
    work.current?.abort();
    const control = new AbortController();
    work.current = control;
    const report = (text: string) => {
      if (!control.signal.aborted) setPhase({ kind: "working", text });
    };
    setList([]);
    setRemoved(undefined);
    setTitle(name);
    report(word("reading"));
    try {
      const { passages, note } = await read(report, control.signal);
      report(word("making"));
      const notes = note === undefined ? [] : [note];
      let count = 0;
      for await (const made of makeToolCards(passages, control.signal)) {
        if (control.signal.aborted) return;
        if ("notice" in made) notes.push(notices[made.notice]?.() ?? "");
        else {
          count += 1;
          const card = { ...made.card, id: nextId.current++ };
          setList((before) => [...before, card]);
        }
      }
      const all = notes.filter(Boolean).join(" ") || undefined;
      const text =
        count === 0 && all === undefined
          ? word("none")
          : countWord("summary", count, { name: name || word("your_text") });
      if (!control.signal.aborted) setPhase({ kind: "done", text, note: all });
    } catch (error) {
      if (control.signal.aborted) return;
      setPhase({ kind: "failed", problem: error instanceof ToolProblem ? error.message : word("error_load") });
    }
  };

  const stop = () => {
    work.current?.abort();
    setPhase({ kind: "idle" });
  };
  const edit = (id: number, change: Partial<ToolCard>) =>
    setList((before) => before.map((card) => (card.id === id ? { ...card, ...change } : card)));
  const add = () => setList((before) => [...before, emptyCard(nextId.current++)]);
  const remove = (id: number) => {
    const at = list.findIndex((card) => card.id === id);
    const card = list[at];
    if (card) setRemoved({ card, at });
    setList(list.filter((one) => one.id !== id));
  };
  const undo = () => {
    if (removed) setList(list.toSpliced(removed.at, 0, removed.card));
    setRemoved(undefined);
  };
  return { list, title, setTitle, phase, removed, make, stop, edit, add, remove, undo, fail: setPhase };
}
