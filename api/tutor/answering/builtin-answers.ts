import { answerShare, pickSentences } from "#shared/engine/answers.ts";
import type { Model } from "#api/ai/port.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { escapeMarkdown, wordings } from "#shared/tutor/wordings.ts";
import { citationOf, type Ground, type GrowingAnswer } from "./answer.ts";
import type { FoundGrounds } from "./grounds.ts";
import type { Pending } from "../store.ts";

/** With less coverage of the question's terms, the answer says that the sources do not cover it. */
const MIN_COVERAGE = 0.45;
/** Number of closest sentences to show in that case. */
const CLOSEST = 2;
const MIN_RIGHT = 0.6;
const MIN_PARTLY = 0.3;
/** Passages searched for facts to ask about. */
const ASKED_PASSAGES = 30;

interface Explaining {
  sources: FoundGrounds["sources"];
  /** Best context windows, from `findContextWindows`. */
  stretches: readonly (readonly Ground[])[];
  question: string;
  maxWords: number;
}

/** Extractive answer: the best sentences with citations, one paragraph per context window. */
export function explain(answer: GrowingAnswer, { sources, stretches, question, maxWords }: Explaining): void {
  const found = stretches.flatMap((grounds, stretch) => grounds.map((ground) => ({ ground, stretch })));
  const passages = found.map(({ ground: { passage, score }, stretch }) => ({ text: passage.text, score, stretch }));
  const { sentences, coverage } = pickSentences(question, passages, maxWords);
  if (sentences.length === 0) {
    answer.write(sources.length === 0 ? wordings.noSources : wordings.nothing);
    return;
  }
  const isHeld = coverage >= MIN_COVERAGE;
  answer.write(`${isHeld ? wordings.builtinLead : wordings.closest}\n\n`);
  let before: number | undefined;
  for (const { passage, text } of isHeld ? sentences : sentences.slice(0, CLOSEST)) {
    const said = found[passage];
    if (!said) continue;
    if (before !== undefined) answer.write(before === said.stretch ? " " : "\n\n");
    answer.write(escapeMarkdown(text));
    answer.citeIn(said.ground, text);
    before = said.stretch;
  }
}

/** Grades a student's answer against the expected one. */
export function judge(answer: GrowingAnswer, pending: Pending, given: string): void {
  const share = answerShare(given, pending.answer);
  const verdict = share >= MIN_RIGHT ? wordings.right : share >= MIN_PARTLY ? wordings.partly : wordings.wrong;
  answer.write(verdict(escapeMarkdown(pending.answer)));
  if (pending.citation) answer.cite(pending.citation);
}

interface Asking {
  model: Model;
  topic: string;
  signal: AbortSignal;
  asked: readonly string[];
}

/** Picks a quiz question: a card from the student's decks, else one generated from the sources. */
async function findQuestion(
  found: FoundGrounds,
  { model, topic, signal, asked }: Asking,
): Promise<Pending | undefined> {
  const known = new Set(asked);
  const decks = found.grounds.filter(({ source }) => source.kind === "deck");
  for (const ground of decks) {
    const split = ground.passage.text.indexOf("? ");
    if (split === -1) continue;
    const question = ground.passage.text.slice(0, split + 1);
    if (known.has(question)) continue;
    const expected = ground.passage.text.slice(split + 2);
    const citation = citationOf(ground, ground.passage.text);
    return { question, answer: expected, citation, topic, asked: [...asked, question] };
  }
  const others = found.grounds.filter(({ source }) => source.kind !== "deck").slice(0, ASKED_PASSAGES);
  const passages = others.map(({ passage }, at): Passage => ({ ...passage, id: String(at), bold: [], italic: [] }));
  if (passages.length === 0) return undefined;
  const events = model.generateCards({ passages, options: { density: "LOW" }, existing: [], signal });
  for await (const event of events) {
    if (event.type !== "card" || known.has(event.card.question)) continue;
    const ground = others[Number(event.card.passageId)];
    if (!ground) continue;
    const { question, answer, quote } = event.card;
    return { question, answer, citation: citationOf(ground, quote), topic, asked: [...asked, question] };
  }
  return undefined;
}

interface Turn extends Omit<Asking, "asked"> {
  given: string;
  pending: Pending | null;
}

/** Grades the answer and asks the next question; undefined if there is none left. */
export async function quiz(answer: GrowingAnswer, found: FoundGrounds, turn: Turn): Promise<Pending | undefined> {
  const { given, pending } = turn;
  if (pending) {
    judge(answer, pending, given);
    answer.write("\n\n");
  }
  const next = await findQuestion(found, { ...turn, asked: pending?.asked ?? [] });
  if (!next) {
    answer.write(pending ? wordings.noMoreQuestions : wordings.noQuestion);
    return undefined;
  }
  answer.write((pending ? wordings.next : wordings.ask)(escapeMarkdown(next.question)));
  return next;
}

/** Socratic mode: points to a passage and asks instead of explaining. */
export async function lead(answer: GrowingAnswer, found: FoundGrounds, turn: Turn): Promise<Pending | undefined> {
  const { given: question, pending } = turn;
  if (pending) {
    judge(answer, pending, question);
    answer.write("\n\n");
  }
  const best: Ground | undefined = found.grounds[0];
  if (!best) {
    answer.write(found.sources.length === 0 ? wordings.noSources : wordings.nothing);
    return undefined;
  }
  const about = { ...found, grounds: found.grounds.slice(0, 8) };
  const next = await findQuestion(about, { ...turn, asked: pending?.asked ?? [] });
  const [first] = pickSentences(question, [{ text: best.passage.text, score: 1 }], 1).sentences;
  answer.write(wordings.hint);
  answer.citeIn(best, first?.text ?? best.passage.text);
  if (next) answer.write(`\n\n${wordings.socraticAsk(escapeMarkdown(next.question))}`);
  return next;
}
