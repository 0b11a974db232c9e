import { useRef, useState } from "react";
import type { EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { countWordsOfAnyScript } from "#shared/text/unspaced-words.ts";
import { emptySet } from "./set/card-set.ts";
import { useCardSet } from "./set/use-card-set.ts";
import { findOnlyHeading, makeToolCards, prepareToolCards, type ToolCard } from "./tool-cards.ts";
import { countWord, word } from "./words.ts";

/** The state of making cards. Its texts are messages for the visitor. */
export type Phase =
  | { kind: "idle" }
  | { kind: "working"; text: string }
  | { kind: "done"; text: string; note: string | undefined; readText: string | undefined }
  | { kind: "failed"; problem: string };

export interface Source {
  passages: readonly Passage[];
  note?: string;
  /** The name that the source itself gives, such as the title of a video. */
  name?: string;
}

/** Which tool it is, by what its cards are made from. */
export type CardsSource = "text" | "hand" | "pdf" | "image" | "office" | "youtube";

/** Shows a message about the current step. */
export type Report = (text: string) => void;
export type ReadSource = (report: Report, signal: AbortSignal) => Promise<Source>;

/** A failure whose message is shown to the visitor. */
export class ToolError extends Error {}

const notices: Partial<Record<EngineNotice, () => string>> = {
  only_emphasised_terms: () => word("not_english"),
  language_not_supported: () => word("not_supported"),
};

const describeNotice = (notice: EngineNotice) => notices[notice]?.();

interface MadeCard {
  card: Omit<ToolCard, "id">;
  title: string;
  source: string;
}

interface MakeCardsOptions {
  tool: CardsSource;
  name: string;
  read: ReadSource;
  append: (made: MadeCard) => void;
  report: Report;
  signal: AbortSignal;
}

/** Makes cards from a source one by one. Resolves to the final phase. */
async function makeCards({ tool, name, read, append, report, signal }: MakeCardsOptions): Promise<Phase> {
  report(word("reading"));
  // The card maker is loaded once the file is open, because loading both at the same time would delay the file.
  const reportProgress = (text: string) => {
    prepareToolCards();
    report(text);
  };
  const { passages, note, name: ownName = "" } = await read(reportProgress, signal);
  const source = name || ownName;
  const title = source || (findOnlyHeading(passages) ?? "");
  report(word("making"));
  let notice: string | undefined;
  let count = 0;
  for await (const made of makeToolCards(passages, title, signal)) {
    if (signal.aborted) break;
    if ("notice" in made) notice = describeNotice(made.notice) ?? notice;
    else {
      count += 1;
      append({ card: made.card, title, source });
    }
  }
  return count === 0
    ? describeNone(passages, joinTexts(note, notice ?? noCards(tool)))
    : describeCards(count, source, joinTexts(note, notice));
}

const describeCards = (count: number, source: string, note: string | undefined): Phase => ({
  kind: "done",
  text: countWord("summary", count, { name: source || word("your_text") }),
  note,
  readText: undefined,
});

const joinTexts = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(" ") || undefined;

/** The tools whose text the visitor has not seen. */
const fileTools: ReadonlySet<CardsSource> = new Set(["pdf", "office", "image"]);
const noCards = (tool: CardsSource) => word(fileTools.has(tool) ? "none_file" : "none");
const MAX_READ_TEXT = 20_000;

/** Says how much was read and why it gives no card, with the text, so that the visitor sees what was read. */
function describeNone(passages: readonly Passage[], note: string | undefined): Phase {
  const text = passages.map((passage) => passage.text).join("\n");
  return {
    kind: "done",
    text: countWord("read", countWordsOfAnyScript(text)),
    note,
    readText: text.length > MAX_READ_TEXT ? `${text.slice(0, MAX_READ_TEXT)}…` : text,
  };
}

const describeFailure = (error: unknown): Phase => ({
  kind: "failed",
  problem: error instanceof ToolError ? error.message : word("error_load"),
});

export type Cards = ReturnType<typeof useCards>;

/** The cards of a tool, and functions that make and change them. */
export function useCards(tool: CardsSource) {
  const byHand = tool === "hand";
  const { append, replace, restore, ...cards } = useCardSet(tool, byHand);
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
    const report = (text: string) => show({ kind: "working", text });
    let isFirst = true;
    // The earlier cards stay until there are others, because the source may be the wrong one or unreadable.
    const appendMade = ({ card, title, source }: MadeCard) => {
      if (isFirst) {
        replace({ cards: [], title, source });
        setResultCount((sources) => sources + 1);
      }
      isFirst = false;
      append(card);
    };
    show(await makeCards({ tool, name, read, append: appendMade, report, signal }).catch(describeFailure));
  };

  const stop = () => {
    controllerRef.current?.abort();
    setPhase({ kind: "idle" });
  };
  const startOver = () => {
    stop();
    replace(emptySet(byHand));
  };
  const undoReplace = () => {
    stop();
    restore();
  };
  return { ...cards, resultCount, phase, make, stop, startOver, undoReplace };
}
