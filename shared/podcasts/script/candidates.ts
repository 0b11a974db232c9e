import { BLANK, type EngineCard } from "#shared/cards/schema.ts";
import { readSections } from "#shared/cards/source/sections.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { centralSentences, isSound } from "#shared/text/summary.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import type { Token } from "#shared/text/tokens.ts";
import { isFinite } from "#shared/text/verbs.ts";
import { toSpeech } from "../speech/to-speech.ts";
import { isClearAlone } from "./clear-alone.ts";
import { isAskable } from "./questions.ts";
import { scoreShortForms } from "./short-forms.ts";
import { hearingScore } from "./hearing.ts";
import { listSpeakable } from "./similar.ts";

/** A source of an episode, read. */
export interface ScriptSource {
  title: string;
  passages: readonly Passage[];
  cards: readonly EngineCard[];
  /** The citation of words in a passage. */
  cite(passage: Passage, quote: string): string;
}

/** A question of the host that a sentence of the source answers, or the sentence alone. */
export interface ScriptCandidate {
  kind: "question" | "finish" | "statement";
  /** Without the sentence that answers it; empty for a statement. */
  question: string;
  sentence: string;
  spoken: string;
  citation: string;
  /** Position in its source, for reading order. */
  at: number;
  /** Higher is chosen earlier. */
  score: number;
}

export interface ScriptSection {
  title: string;
  path: readonly string[];
  source: number;
  candidates: ScriptCandidate[];
  /** Words set off in bold, in order. */
  terms: string[];
}

/** The topic that a card names before its question. */
const TOPIC = /^[^:?]{2,80}:\s(?=\p{Lu})/u;
const MAX_SENTENCE_CHARS = 420;
/** A longer question is nearly its answer: the listener would hear the sentence twice. */
const MAX_QUESTION_CHARS = 110;
/** The part of an answer's words that a sentence must hold. */
const ANSWERED = 0.75;
const QUESTION_SCORE = 2;
const FINISH_SCORE = 1.6;
const CENTRAL_SENTENCES = 400;
const MAX_TERM_WORDS = 4;

interface Spoken {
  sentence: string;
  spoken: string;
}

/** A sentence that can be heard by itself; undefined for any other. */
function asSpoken(sentence: string): Spoken | undefined {
  if (sentence.length > MAX_SENTENCE_CHARS || !isSound(sentence) || !isClearAlone(sentence)) return undefined;
  const spoken = toSpeech(sentence);
  return spoken === undefined || isTitle(sentence) ? undefined : { sentence, spoken };
}

/** A longer text without a verb is no title. */
const MAX_TITLE_CHARS = 140;

/** "Levels of processing: A framework for memory research." says nothing, because it has no verb. */
const isTitle = (sentence: string) =>
  sentence.length <= MAX_TITLE_CHARS && !HAS_PLAIN_VERB.test(sentence) && !hasVerb(tagSentence(sentence));

const hasVerb = (tokens: readonly Token[]) => tokens.some((_, at) => isFinite(tokens, at));

/** Verbs that the tagger cannot miss. */
const HAS_PLAIN_VERB = /\b(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|will|would|should)\b/iu;

const contentOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu));

/** How much of an answer a sentence holds, 0 to 1. */
function shareIn(sentence: string, answer: string): number {
  const [held, wanted] = [contentOf(sentence), [...contentOf(answer)]];
  if (wanted.length === 0) return sentence.toLowerCase().includes(answer.trim().toLowerCase()) ? 1 : 0;
  return wanted.filter((word) => held.has(word)).length / wanted.length;
}

/** The sentence of a card's quote that answers it; undefined where the answer is spread over several. */
function sentenceWith(passage: Passage, { quote, answer }: EngineCard): string | undefined {
  const at = passage.text.indexOf(quote.slice(0, Math.min(40, quote.length)));
  if (at === -1) return undefined;
  const sentences = splitSentences(passage.text).filter(({ start, end }) => end > at && start < at + quote.length);
  return sentences.find(({ text }) => shareIn(text, answer) >= ANSWERED)?.text.trim();
}

/** What the host asks so that the card's sentence answers; undefined where that would give the answer away. */
function questionOf({ kind, question }: EngineCard): { kind: "question" | "finish"; question: string } | undefined {
  if (kind === "qa")
    return question.endsWith("?") ? { kind: "question", question: question.replace(TOPIC, "") } : undefined;
  const match = new RegExp(`^(.{15,})\\s${BLANK}[.\\s]*$`, "u").exec(question.replace(TOPIC, ""));
  return match?.[1] === undefined ? undefined : { kind: "finish", question: match[1] };
}

class SourceReader {
  readonly #source: ScriptSource;
  readonly #positions: ReadonlyMap<string, number>;

  constructor(source: ScriptSource) {
    this.#source = source;
    this.#positions = new Map(source.passages.map(({ id }, index) => [id, index]));
  }

  /** The sentence as it stands in the source, found again there; undefined if it does not. */
  candidate(spoken: Spoken, asked: Pick<ScriptCandidate, "kind" | "question" | "score">): ScriptCandidate | undefined {
    const found = findExactQuote(this.#source.passages, spoken.sentence);
    const index = found && this.#positions.get(found.passageId);
    const passage = index === undefined ? undefined : this.#source.passages[index];
    if (!found || !passage || index === undefined) return undefined;
    const at = index + found.start / (passage.text.length + 1);
    const score = asked.score + hearingScore(spoken.sentence);
    return { ...asked, ...spoken, score, citation: this.#source.cite(passage, spoken.sentence), at };
  }

  fromCard(card: EngineCard, passage: Passage): ScriptCandidate | undefined {
    const asked = questionOf(card);
    const sentence = sentenceWith(passage, card);
    const spoken = sentence === undefined ? undefined : asSpoken(sentence);
    if (!asked || !spoken || asked.question.length > MAX_QUESTION_CHARS) return undefined;
    if (toSpeech(asked.question) === undefined || !isAskable(asked.question, spoken.sentence)) return undefined;
    return this.candidate(spoken, { ...asked, score: asked.kind === "question" ? QUESTION_SCORE : FINISH_SCORE });
  }

  statement(sentence: string, score: number): ScriptCandidate | undefined {
    const spoken = asSpoken(sentence);
    return spoken && this.candidate(spoken, { kind: "statement", question: "", score });
  }
}

const isTalk = ({ locator }: Passage) => locator.startMs !== undefined;

/** Words that fill the time while somebody thinks of the sentence: "And so, you know, memory leaks." */
const FILLER = /^(?:(?:so|and|now|well|okay|ok|right|but|um|uh|yeah|you know|I mean|basically),?\s+)+(?=\p{L})/iu;

/** A spoken sentence from its first word that says something. */
const withoutFiller = (sentence: string) =>
  sentence.replace(FILLER, "").replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const isTerm = (term: string) =>
  /^[\p{L}][\p{L}\s'-]{3,40}$/u.test(term) && term.split(/\s+/u).length <= MAX_TERM_WORDS;

function termsOf(passages: readonly Passage[]): string[] {
  const terms = passages.flatMap(({ text, bold }) => bold.map(([from, to]) => text.slice(from, to).trim()));
  return [...new Set(terms.filter(isTerm))];
}

const withoutSigns = (sentence: string) => sentence.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ");

/**
 * The sections of a source with the sentences that can be spoken, in reading order. No sentence comes twice, also where
 * a summary or another source repeats it: `known` holds those of the sources before.
 */
export function readCandidates(source: ScriptSource, sourceIndex: number, known: Set<string>): ScriptSection[] {
  const reader = new SourceReader(source);
  const central = new Map(
    centralSentences(source.passages, CENTRAL_SENTENCES).map(({ text, score }) => [text.trim(), score]),
  );
  const cardsByPassage = groupBy(source.cards, ({ passageId }) => passageId);
  const sections = readSections(source.passages);
  const texts = sections.map(({ passages }) => passages.map(({ text }) => text).join(" "));
  const read = sections.flatMap(({ title, path, passages }) => {
    const bySentence = new Map<string, ScriptCandidate>();
    const add = (candidate: ScriptCandidate | undefined) => {
      const other = candidate && bySentence.get(candidate.sentence);
      if (candidate && (!other || other.score < candidate.score)) bySentence.set(candidate.sentence, candidate);
    };
    for (const passage of passages) {
      for (const card of cardsByPassage.get(passage.id) ?? []) add(reader.fromCard(card, passage));
      for (const { text } of splitSentences(passage.text)) {
        const sentence = isTalk(passage) ? withoutFiller(text.trim()) : text.trim();
        if (!bySentence.has(sentence)) add(reader.statement(sentence, central.get(sentence) ?? 0));
      }
    }
    const candidates = [...bySentence.values()]
      .toSorted((a, b) => a.at - b.at)
      .filter(({ sentence }) => {
        const words = withoutSigns(sentence);
        const isNew = !known.has(words);
        known.add(words);
        return isNew;
      });
    return candidates.length === 0 ? [] : [{ title, path, source: sourceIndex, candidates, terms: termsOf(passages) }];
  });
  const speakable = listSpeakable(
    read.flatMap(({ candidates }) => candidates),
    texts,
  );
  const spoken = read.flatMap((section, index) =>
    section.candidates.flatMap((candidate) => (speakable.has(candidate) ? [{ index, ...candidate }] : [])),
  );
  const scored = groupBy(scoreShortForms(spoken, texts), ({ index }) => index);
  return read.flatMap((section, index) => {
    const candidates = (scored.get(index) ?? []).map(({ index: _index, ...candidate }) => candidate);
    return candidates.length === 0 ? [] : [{ ...section, candidates }];
  });
}
