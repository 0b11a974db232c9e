import { readSections, type Section } from "#shared/cards/source/sections.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { lowerCapitals, readSpellings } from "#shared/text/capitals.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { centralSentences, isStandaloneSentence, isCompleteSentence } from "#shared/text/summary.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import type { Token } from "#shared/text/tokens.ts";
import { isFinite } from "#shared/text/verbs.ts";
import { contentStems } from "#shared/text/words.ts";
import { toSpeech, withoutPointers } from "../speech/to-speech.ts";
import { readOwnQuestion, readQuestions } from "./host/card-questions.ts";
import {
  beginsExample,
  describesPicture,
  hasExplainedVariables,
  hasResolvedEnumeration,
  isAboutPresentation,
  isSelfContained,
  isClearInContext,
  announcesMore,
  withoutSelfReference,
} from "./self-contained.ts";
import { createJoinedWordSplitter } from "./joined-words.ts";
import { listenabilityPenalty } from "./listenability.ts";
import { findingsBonus, isPaper, nameParts } from "./paper.ts";
import { isStory, isTranscriptPassage, type ParagraphSentence, readParagraphs } from "./paragraphs.ts";
import type { ScriptRun, ScriptSection, ScriptSentence, ScriptSource } from "./script-source.ts";
import { isLabelRow, isRepetition, listContentSections } from "./section-kinds.ts";
import { createTopicFilter, removeNearDuplicates } from "./similar.ts";

const MAX_SENTENCE_CHARS = 420;
/** So many of the most central sentences of a source score higher. */
const CENTRAL_SENTENCES = 400;
const MAX_RUN_SENTENCES = 6;
/** A story is spoken completely or not at all, so a longer one is left out. */
const MAX_STORY_SENTENCES = 7;
/** A run of a single sentence explains little. */
const SINGLE_PENALTY = 1.2;
/** For the first run of a section. */
const OPENING_BONUS = 0.6;
const QUESTION_BONUS = 0.4;
const BOLD_BONUS = 0.3;
/** For a sentence that answers the one before it. */
const CONNECTED_PENALTY = 1;
const LIST_ITEM_PENALTY = 0.3;
/** For a run that says what the subject of its section or of the whole source is. */
const DEFINITION_BONUS = 0.8;

/** Longer texts without a verb are not titles. */
const MAX_TITLE_CHARS = 140;

/** "Levels of processing: A framework for memory research." is a title, because it has no verb. */
const isTitle = (sentence: string) =>
  isInTitleCase(sentence) ||
  (sentence.length <= MAX_TITLE_CHARS && !COMMON_VERB.test(sentence) && !hasVerb(tagSentence(sentence)));

const LONG_SMALL_WORD = /(?<![\p{L}’'-])\p{Ll}[\p{L}’'-]{3}/u;
const LONG_CAPITALISED_WORD = /(?<!\p{L})\p{Lu}\p{Ll}{3}/gu;
const MIN_TITLE_WORDS = 3;

/** "Independent Two-Samples: Contaminated Fish Consumption.": each long word is capitalised. */
const isInTitleCase = (sentence: string) =>
  !LONG_SMALL_WORD.test(sentence) && (sentence.match(LONG_CAPITALISED_WORD)?.length ?? 0) >= MIN_TITLE_WORDS;

const hasVerb = (tokens: readonly Token[]) => tokens.some((_, at) => isFinite(tokens, at));

/** Verbs that are recognised without the tagger. */
const COMMON_VERB =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|will|would|should)\b|\b(?:it|that|there|what|who|he|she)['’]s\b|\p{L}['’](?:re|ve|ll|d|m)\b|n['’]t\b/iu;

/** "These weights are just numbers.": too short alone, but good after another sentence. */
const isShortStatement = (sentence: string) => /^\p{Lu}\p{L}*(?: [\p{L}’'-]+){2,4}[.!]$/u.test(sentence);

/** The spoken form of a sentence; undefined if it cannot be followed by ear. */
function toSpokenForm(sentence: string): string | undefined {
  if (sentence.length > MAX_SENTENCE_CHARS) return undefined;
  const plain = withoutPointers(sentence);
  const isUsable = (isCompleteSentence(plain) || isShortStatement(plain)) && isClearInContext(sentence);
  return !isUsable || isTitle(sentence) ? undefined : toSpeech(sentence);
}

interface Paragraph {
  /** Its sentences; undefined for one that cannot be spoken, which ends a run. */
  sentences: (ScriptSentence | undefined)[];
  /** The text of every sentence, including those that cannot be spoken. */
  texts: string[];
  isStory: boolean;
  isList: boolean;
  isBold: boolean;
  /** Whether the paragraph is part of a transcript. */
  isOfTalk: boolean;
}

class SourceReader {
  readonly #source: ScriptSource;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #central: ReadonlyMap<string, number>;
  readonly #cards: ReturnType<typeof groupCards>;
  readonly #known: Set<string>;
  readonly #splitJoined: ReturnType<typeof createJoinedWordSplitter>;

  constructor(source: ScriptSource, known: Set<string>) {
    this.#source = source;
    this.#known = known;
    this.#splitJoined = createJoinedWordSplitter(source.passages);
    this.#positions = new Map(source.passages.map(({ id }, index) => [id, index]));
    const central = centralSentences(source.passages, CENTRAL_SENTENCES);
    this.#central = new Map(central.map(({ text, score }) => [text.trim(), score]));
    this.#cards = groupCards(source);
  }

  paragraphs({ passages }: Section): Paragraph[] {
    const questions = new Map(
      passages.flatMap((passage) => [...readQuestions(passage, this.#cards.get(passage.id) ?? [])]),
    );
    const paragraphs = readParagraphs(passages, this.#positions).filter(([first]) => !first || !this.#endsCode(first));
    return paragraphs.map((sentences) => ({
      sentences: sentences.map((sentence, at) => {
        const read = this.#read(sentence);
        const question = questions.get(sentence.text) ?? readOwnQuestion(sentences[at - 1]?.text);
        return read && question ? { ...read, question } : read;
      }),
      texts: sentences.map(({ text }) => text),
      isStory: isStory(sentences),
      isList: sentences[0]?.passage.kind === "list_item",
      isBold: sentences.some(({ passage }) => passage.bold.length > 0),
      isOfTalk: sentences.some(({ passage }) => isTranscriptPassage(passage)),
    }));
  }

  /** "where n is the number of colors.": the end of a sentence that code interrupts, and the text about that code. */
  #endsCode({ text, passage }: ParagraphSentence): boolean {
    const position = this.#positions.get(passage.id) ?? 0;
    const before = this.#source.passages.findLast(
      ({ kind }, at) => at < position && kind !== "running_head" && kind !== "footnote",
    );
    return before?.kind === "code" && /^\p{Ll}/u.test(text);
  }

  /** Finds a sentence in its source, so that its exact words are spoken and cited. */
  #read(sentence: ParagraphSentence): ScriptSentence | undefined {
    const { text } = sentence;
    const spoken = toSpokenForm(text);
    const found = spoken === undefined ? undefined : findExactQuote(this.#source.passages, text);
    const index = this.#positions.get(found?.passageId ?? "");
    const passage = index === undefined ? undefined : this.#source.passages[index];
    if (spoken === undefined || !found || index === undefined || !passage || !this.#isNew(text)) return undefined;
    return {
      sentence: text,
      spoken: this.#splitJoined(spoken),
      citation: this.#source.cite(passage, text),
      at: index + found.start / (passage.text.length + 1),
      score: this.#rate(sentence),
      isSelfContained: isStandaloneSentence(withoutSelfReference(withoutPointers(text))) && isSelfContained(text),
    };
  }

  #rate({ text, isConnected }: ParagraphSentence): number {
    return (this.#central.get(text) ?? 0) - listenabilityPenalty(text) - (isConnected ? CONNECTED_PENALTY : 0);
  }

  #isNew(sentence: string): boolean {
    const words = sentence.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ");
    const isNew = !this.#known.has(words);
    this.#known.add(words);
    return isNew;
  }
}

const groupCards = ({ cards }: ScriptSource) => groupBy(cards, ({ passageId }) => passageId);

const averageOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** "The result", "Both groups": a beginning that refers to something in the sentence before. */
function repeatsNoun(sentence: string, before: string | undefined): boolean {
  const named = /^(?:the|both|all|each|another|other|most|many|some|every)\s((?:[\p{L}’'-]+\s){1,3})/iu.exec(
    sentence,
  )?.[1];
  if (before === undefined || named === undefined) return false;
  const known = new Set(contentStems(before));
  return contentStems(named).some((stem) => known.has(stem));
}

const PART_OF = /^(?:most|many|some|all|each|one|none|few|several|both) of (?:the|these|those)\s(\p{L}+)/iu;

/** "The police chief went on television": continues a story whose beginning is not spoken. */
const CONTINUES_STORY =
  /^the (?:\p{L}+ ){1,3}(?:\p{L}{2,}ed|went|came|took|said|told|gave|got|found|knew|thought)\s(?!by\b)/iu;
/** "Most of the tips": a part of several things that were named before. */
const PART_OF_MANY =
  /^(?:most|many|some|all|each|one|none|few|several|both|other)(?: of)? (?:the|these|those)\s\p{Ll}+s\b/iu;

/** Whether a sentence continues others of its source, so that a run cannot begin with it. */
const continuesOthers = (sentence: string, before: string | undefined) =>
  PART_OF_MANY.test(sentence) ||
  (before !== undefined && CONTINUES_STORY.test(sentence)) ||
  repeatsNoun(sentence, before);

/** "Most of the tips were wrong": counts parts of something that only an unspoken sentence names. */
function countsUnspoken({ sentence }: ScriptSentence, { sentences, texts }: Paragraph, index: number): boolean {
  const named = PART_OF.exec(sentence)?.[1];
  if (named === undefined) return false;
  const known = new Set(texts.slice(0, index).flatMap((text, at) => (sentences[at] ? [] : contentStems(text))));
  return contentStems(named).some((stem) => known.has(stem));
}

function canFollow(open: readonly ScriptSentence[], { sentence }: ScriptSentence): boolean {
  const before = open.map((one) => one.sentence);
  return hasResolvedEnumeration(sentence, before) && hasExplainedVariables(sentence, before);
}

/** The sentence at an index; undefined if it begins an example or refers to something that is not spoken. */
function sentenceAt(paragraph: Paragraph, index: number): ScriptSentence | undefined {
  const found = paragraph.sentences[index];
  if (!found || beginsExample(paragraph.texts[index] ?? "")) return undefined;
  return countsUnspoken(found, paragraph, index) ? undefined : found;
}

/** A sentence that answers the source's own question can start a run, because the host speaks that question. */
const startsRun = ({ isSelfContained: isAlone, question, sentence }: ScriptSentence, before: string | undefined) =>
  isAlone && hasExplainedVariables(sentence, []) && (question?.kind === "source" || !continuesOthers(sentence, before));

/**
 * Sequences of sentences: each starts with a sentence that is understandable alone and ends before one that cannot be
 * spoken.
 */
function listSequences(paragraph: Paragraph, max: number) {
  const { sentences, texts, isOfTalk } = paragraph;
  const sequences: ScriptSentence[][] = [];
  let open: ScriptSentence[] | undefined;
  // A speaker goes on after "We will prove that in a few minutes" as if it had not been said.
  const isLeftOut = (index: number) => isOfTalk && isAboutPresentation(texts[index] ?? "");
  for (const index of [...sentences.keys()].filter((one) => !isLeftOut(one))) {
    // An example and the description of a picture end the paragraph, except in a talk, where paragraphs end at pauses of
    // the speaker.
    const text = texts[index] ?? "";
    if (!isOfTalk && (beginsExample(text) || describesPicture(text))) break;
    const next = sentenceAt(paragraph, index);
    if (open && next && open.length < max && canFollow(open, next)) open.push(next);
    else if (next && startsRun(next, texts[index - 1])) sequences.push((open = [next]));
    else open = undefined;
  }
  return sequences;
}

/** Removes sentences at the end after which the listener would expect more. */
const withoutOpenEnd = (sentences: readonly ScriptSentence[]) =>
  sentences.slice(0, sentences.findLastIndex(({ sentence }) => !announcesMore(sentence)) + 1);

/**
 * The minimum number of sentences of a run that are spoken: two, or up to the sentence after the last one that leaves
 * something open.
 */
const minSentencesOf = (sentences: readonly ScriptSentence[]) =>
  Math.min(sentences.length, Math.max(2, sentences.findLastIndex(({ sentence }) => announcesMore(sentence)) + 2));

function toRuns(paragraph: Paragraph): ScriptRun[] {
  const { isList, isBold } = paragraph;
  const sequences = listSequences(paragraph, paragraph.isStory ? MAX_STORY_SENTENCES : MAX_RUN_SENTENCES);
  const whole = sequences.filter(({ length }) => !paragraph.isStory || length === paragraph.sentences.length);
  const ended = paragraph.isStory ? whole : whole.map(withoutOpenEnd).filter(({ length }) => length > 0);
  return ended.map((sentences): ScriptRun => {
    const isOpening = sentences[0] === paragraph.sentences[0];
    const score =
      averageOf(sentences.map((sentence) => sentence.score)) +
      (sentences.some(({ question }) => question) ? QUESTION_BONUS : 0) +
      (isBold && isOpening ? BOLD_BONUS : 0) -
      (sentences.length === 1 ? SINGLE_PENALTY : 0) -
      (isList ? LIST_ITEM_PENALTY : 0);
    return { sentences, score, minSentences: paragraph.isStory ? sentences.length : minSentencesOf(sentences) };
  });
}

/** "Deviance is a violation of norms", also after words of introduction. */
const DEFINED_TERM =
  /(?:^|, )(?:an? |the )?((?:[\p{L}’'-]+ ){0,2}[\p{L}’'-]+) (?:is|are|refers? to|means?) (?:an? |the |any |\p{Ll}+s (?:that|of|in)\b)/iu;

/** Whether a sentence defines something that one of the headings above it names. */
function definesTopic(sentence: string, path: readonly string[]): boolean {
  const term = contentStems(DEFINED_TERM.exec(sentence)?.[1] ?? "");
  const topics = new Set(path.flatMap(contentStems));
  return term.length > 0 && term.every((stem) => topics.has(stem));
}

/** A story that continues in the next paragraph is too long. */
const withoutLongStories = (paragraphs: readonly Paragraph[]) =>
  paragraphs.filter(
    (one, at) => !(one.isStory && (paragraphs[at - 1]?.isStory === true || paragraphs[at + 1]?.isStory === true)),
  );

/** A row of table headers is not a heading, so the text below it stays under the previous heading. */
function nameByText(sections: readonly Section[]): Section[] {
  const spellings = readSpellings(sections.flatMap(({ passages }) => passages));
  let last: Pick<Section, "title" | "path"> | undefined;
  return sections.map((section) => {
    if (!last || !isLabelRow(section.title)) last = section;
    return { ...section, title: lowerCapitals(last.title, spellings), path: last.path };
  });
}

/**
 * The sections of a source with the runs that can be spoken, in reading order. A sentence that occurs several times,
 * also in several sources, is used once: `known` contains those of earlier sources.
 */
export function readRuns(source: ScriptSource, sourceIndex: number, known: Set<string>): ScriptSection[] {
  const reader = new SourceReader(source, known);
  const sections = nameByText(listContentSections(nameParts(readSections(source.passages)), source.passages));
  const isOfPaper = isPaper(sections.map(({ title }) => title));
  // A talk has no such test, because its sections are split where the vocabulary changes.
  const parts = source.passages.some(isTranscriptPassage) ? [] : sections;
  const isOnTopic = createTopicFilter(parts.map(({ passages }) => passages.map(({ text }) => text).join(" ")));
  const read = sections.map((section) => ({ section, paragraphs: withoutLongStories(reader.paragraphs(section)) }));
  const all = read.flatMap(({ paragraphs }) =>
    paragraphs.flatMap((paragraph) => paragraph.sentences.flatMap((one) => one ?? [])),
  );
  const different = new Set(removeNearDuplicates(all.filter(({ sentence }) => isOnTopic(sentence))));
  return read.flatMap(({ section: { title, path }, paragraphs }) => {
    const runs = paragraphs
      .map(({ sentences, ...paragraph }) => ({
        ...paragraph,
        sentences: sentences.map((one) => (one && different.has(one) ? one : undefined)),
      }))
      .flatMap(toRuns)
      .map((run) => {
        const isDefinition = run.sentences.some(({ sentence }) => definesTopic(sentence, path));
        const bonus = (isDefinition ? DEFINITION_BONUS : 0) + (isOfPaper ? findingsBonus(title) : 0);
        return { ...run, score: run.score + bonus };
      });
    const [first, ...rest] = runs;
    if (!first) return [];
    const opening = { ...first, score: first.score + OPENING_BONUS };
    return [{ title, path, source: sourceIndex, runs: isRepetition(title) ? runs : [opening, ...rest] }];
  });
}
