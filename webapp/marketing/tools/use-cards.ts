import { useRef, useState } from "react";
import type { EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { findOnlyHeading, makeToolCards, prepareToolCards, type ToolCard } from "./tool-cards.ts";
import { countWord, word } from "./words.ts";

/** The state of making cards. Its texts are messages for the visitor. */
export type Phase =
  | { kind: "idle" }
  | { kind: "working"; text: string }
  | { kind: "done"; text: string; note: string | undefined }
  | { kind: "failed"; problem: string };

export interface Source {
  passages: readonly Passage[];
  note?: string;
}

/** Shows a message about the current step. */
export type Report = (text: string) => void;
export type ReadSource = (report: Report, signal: AbortSignal) => Promise<Source>;

/** A failure whose message is shown to the visitor. */
export class ToolProblem extends Error {}

const notices: Partial<Record<EngineNotice, () => string>> = {
  only_emphasised_terms: () => word("not_english"),
  language_not_supported: () => word("not_supported"),
};

const emptyCard = (id: number): ToolCard => ({ id, question: "", answer: "" });

/** The current cards, and functions that change them. */
function useCardList(byHand: boolean) {
  const [list, setList] = useState<readonly ToolCard[]>(() => (byHand ? [emptyCard(1), emptyCard(2)] : []));
  const [removed, setRemoved] = useState<{ card: ToolCard; index: number }>();
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
    const index = list.findIndex((card) => card.id === id);
    const card = list[index];
    if (card) setRemoved({ card, index });
    setList(list.filter((other) => other.id !== id));
  };
  const undo = () => {
    if (removed) setList(list.toSpliced(removed.index, 0, removed.card));
    setRemoved(undefined);
  };
  return { list, removed, clear, append, add, edit, remove, undo };
}

interface MakeCardsOptions {
  name: string;
  read: ReadSource;
  append: (card: Omit<ToolCard, "id">) => void;
  report: Report;
  signal: AbortSignal;
  onTitle: (title: string) => void;
}

/** Makes cards from a source one by one. Resolves to the final phase. */
async function makeCards({ name, read, append, report, signal, onTitle }: MakeCardsOptions): Promise<Phase> {
  report(word("reading"));
  // The card maker is loaded once the file is open, because loading both at the same time would delay the file.
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
  for await (const resultCount of makeToolCards(passages, title, signal)) {
    if (signal.aborted) break;
    if ("notice" in resultCount) notes.push(notices[resultCount.notice]?.() ?? "");
    else {
      count += 1;
      append(resultCount.card);
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

/** The cards of a tool, and functions that make and change them. */
export function useCards(byHand: boolean) {
  const { clear, append, ...cards } = useCardList(byHand);
  const [title, setTitle] = useState("");
  const [phase, setPhase] = useState<Phase>({ kind: "idle" });
  /** How many sources have produced at least one card. */
  const [resultCount, setResultCount] = useState(0);
  const controllerRef = useRef<AbortController>(undefined);

  const make = async (name: string, read: ReadSource) => {
    controllerRef.current?.abort();
    const controller = new AbortController();
    controllerRef.current = controller;
    const { signal } = controller;
    const show = (next: Phase) => {
      if (!signal.aborted) setPhase(next);
    };
    clear();
    setTitle(name);
    const report = (text: string) => show({ kind: "working", text });
    let isFirst = true;
    const appendMade = (card: Omit<ToolCard, "id">) => {
      append(card);
      if (isFirst) setResultCount((sources) => sources + 1);
      isFirst = false;
    };
    show(await makeCards({ name, read, append: appendMade, report, signal, onTitle: setTitle }).catch(describeFailure));
  };

  const stop = () => {
    controllerRef.current?.abort();
    setPhase({ kind: "idle" });
  };
  return { ...cards, resultCount, title, setTitle, phase, make, stop };
}
