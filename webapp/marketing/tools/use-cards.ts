import { useRef, useState } from "react";
import type { EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { findOnlyHeading, makeToolCards, prepareToolCards, type ToolCard } from "./tool-cards.ts";
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

/** The cards as they stand, and what changes them. */
function useCardList(byHand: boolean) {
  const [list, setList] = useState<readonly ToolCard[]>(() => (byHand ? [emptyCard(1), emptyCard(2)] : []));
  const [removed, setRemoved] = useState<{ card: ToolCard; at: number }>();
  const nextId = useRef(byHand ? 3 : 1);

  const clear = () => {
    setList([]);
    setRemoved(undefined);
  };
  const append = (card: Omit<ToolCard, "id">) => {
    const id = nextId.current++;
    setList((before) => [...before, { ...card, id }]);
  };
  const add = () => append(emptyCard(0));
  const edit = (id: number, change: Partial<ToolCard>) =>
    setList((before) => before.map((card) => (card.id === id ? { ...card, ...change } : card)));
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
  return { list, removed, clear, append, add, edit, remove, undo };
}

interface Making {
  name: string;
  read: ReadSource;
  append: (card: Omit<ToolCard, "id">) => void;
  report: Report;
  signal: AbortSignal;
  onTitle: (title: string) => void;
}

/** Makes the cards of a source one by one; resolves to how it ended. */
async function makeCards({ name, read, append, report, signal, onTitle }: Making): Promise<Phase> {
  report(word("reading"));
  // The card maker is loaded once the file is open: before that, both would only wait for each other.
  const reportProgress = (text: string) => {
    prepareToolCards();
    report(text);
  };
  const { passages, note } = await read(reportProgress, signal);
  const title = name || (findOnlyHeading(passages) ?? "");
  if (!signal.aborted) onTitle(title);
  report(word("making"));
  const notes = note === undefined ? [] : [note];
  let count = 0;
  for await (const made of makeToolCards(passages, title, signal)) {
    if (signal.aborted) break;
    if ("notice" in made) notes.push(notices[made.notice]?.() ?? "");
    else {
      count += 1;
      append(made.card);
    }
  }
  return describeEnd(count, notes.filter(Boolean).join(" "), name);
}

function describeEnd(count: number, notes: string, name: string): Phase {
  const text =
    count === 0 && notes === "" ? word("none") : countWord("summary", count, { name: name || word("your_text") });
  return { kind: "done", text, note: notes || undefined };
}

const describeFailure = (error: unknown): Phase => ({
  kind: "failed",
  problem: error instanceof ToolProblem ? error.message : word("error_load"),
});

export type Cards = ReturnType<typeof useCards>;

/** The cards of a tool, how they are made and how they are changed. */
export function useCards(byHand: boolean) {
  const { clear, append, ...cards } = useCardList(byHand);
  const [title, setTitle] = useState("");
  const [phase, setPhase] = useState<Phase>({ kind: "idle" });
  /** How many sources gave a card. */
  const [made, setMade] = useState(0);
  const work = useRef<AbortController>(undefined);

  const make = async (name: string, read: ReadSource) => {
    work.current?.abort();
    const { signal } = (work.current = new AbortController());
    const show = (next: Phase) => {
      if (!signal.aborted) setPhase(next);
    };
    clear();
    setTitle(name);
    const report = (text: string) => show({ kind: "working", text });
    let isFirst = true;
    const appendMade = (card: Omit<ToolCard, "id">) => {
      append(card);
      if (isFirst) setMade((sources) => sources + 1);
      isFirst = false;
    };
    show(await makeCards({ name, read, append: appendMade, report, signal, onTitle: setTitle }).catch(describeFailure));
  };

  const stop = () => {
    work.current?.abort();
    setPhase({ kind: "idle" });
  };
  return { ...cards, made, title, setTitle, phase, make, stop, fail: setPhase };
}
