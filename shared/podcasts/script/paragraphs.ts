import type { Passage } from "#shared/pdf/schema.ts";
import { splitSentences } from "#shared/text/sentences.ts";

export interface ParagraphSentence {
  text: string;
  passage: Passage;
  /** Whether words before it, which are not spoken, connect it to the sentence before: "But if nobody worries". */
  isConnected: boolean;
}

/** Whether a passage is part of a transcript. */
export const isTranscriptPassage = ({ locator }: Passage): boolean => locator.startMs !== undefined;

/** Punctuated speech has a full stop after about one word in fifteen. */
const MIN_STOP_SHARE = 0.02;
const STOP = /\p{L}[.!?]["”’)]?(?=\s|$)/gu;

/** Whether a talk has captions without punctuation, so that no sentence of it can be found. */
export function lacksPunctuation(passages: readonly Passage[]): boolean {
  const text = passages.map((passage) => passage.text).join(" ");
  const stops = text.match(STOP)?.length ?? 0;
  return passages.some(isTranscriptPassage) && stops < text.split(/\s+/u).length * MIN_STOP_SHARE;
}

/**
 * Filler words: "And so, you know, memory leaks." Words that may also be part of the sentence ("Right atrium", "Well
 * known", "So far") are filler only before a comma; "maybe" always has a meaning.
 */
const FILLER =
  /^(?:(?:(?:so(?!\s+(?:far|few|long|many|much|that)\b)|and|now(?!\s+that\b)|okay|ok|but|um|uh|yeah),?|(?:well|right|right now|of course|you know|I mean|basically|really|actually),)\s+)+(?=\p{L})/iu;

const BEGINS_WITH_BUT_OR = /^(?:but|or)\b/iu;

/**
 * A spoken sentence without filler words at its beginning. One that begins with a small letter is the end of another
 * sentence and stays as it is.
 */
export function withoutFiller(sentence: string): string {
  const plain = sentence.replace(FILLER, "");
  return plain === sentence ? sentence : plain.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** "Abstract—Privacy is": the name of a part, joined to its first sentence. */
const PART_NAME_BEFORE_SENTENCE = /^(?:abstract|summary|introduction)\s*[—–:]\s*(?=\p{Lu})/iu;

/** Captions are also divided in the middle of a sentence. */
const isCut = (previous: Passage | undefined) => previous !== undefined && !/[.!?…]["”’)\]]*\s*$/u.test(previous.text);

function sentencesOf(passage: Passage, previous: Passage | undefined): ParagraphSentence[] {
  const continuesPrevious = isTranscriptPassage(passage) && isCut(previous);
  return splitSentences(passage.text).map((split, at) => {
    const plain = split.text.trim();
    if (!isTranscriptPassage(passage))
      return { text: plain.replace(PART_NAME_BEFORE_SENTENCE, ""), passage, isConnected: false };
    // Half of a sentence stays as it is, so that it is not taken for a whole one.
    const text = at === 0 && continuesPrevious ? plain : withoutFiller(plain);
    return { text, passage, isConnected: BEGINS_WITH_BUT_OR.test(plain) };
  });
}

/** A pause in speech that ends a paragraph. */
const PAUSE_MS = 4000;

function followsInTalk(previous: Passage, next: Passage): boolean {
  const { endMs } = previous.locator;
  return endMs !== undefined && (next.locator.startMs ?? Number.POSITIVE_INFINITY) - endMs < PAUSE_MS;
}

const isOneSentence = ({ kind, text }: Passage) => kind === "paragraph" && splitSentences(text).length === 1;

const isContinued = (previous: Passage, next: Passage): boolean =>
  isTranscriptPassage(previous) ? followsInTalk(previous, next) : isOneSentence(previous) && isOneSentence(next);

/**
 * The sentences of a section by paragraph. In a transcript and in a research canvas each sentence is a passage of its
 * own, so consecutive ones are joined into a paragraph. `positions` are the positions of the passages in their source.
 */
export function readParagraphs(
  passages: readonly Passage[],
  positions: ReadonlyMap<string, number>,
): ParagraphSentence[][] {
  const paragraphs: ParagraphSentence[][] = [];
  let previous: Passage | undefined;
  for (const passage of passages) {
    const isNext = previous && (positions.get(passage.id) ?? 0) - (positions.get(previous.id) ?? 0) === 1;
    const sentences = sentencesOf(passage, isNext ? previous : undefined);
    const last = paragraphs.at(-1);
    if (last && previous && isNext && isContinued(previous, passage)) last.push(...sentences);
    else paragraphs.push(sentences);
    previous = passage;
  }
  return paragraphs;
}

/** Pronouns for a person in a story. */
const PERSON = /\b(?:he|she|his|her|him|himself|herself)\b/iu;
/** More sentences about one person than this are a story. */
const MAX_PERSON_SENTENCES = 1;

/** "In the summer of 2005, detective Mark Holste": a time and a person set the scene of a story. */
const SETS_SCENE =
  /^(?:In|On|One|Early|Late|During)\b[^,.]{0,30}\b(?:summer|spring|autumn|winter|morning|night|evening|afternoon|January|February|March|April|May|June|July|August|September|October|November|December)\b[^.]*\s\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;

/** Whether a paragraph tells a person's story, which must not be cut. */
export const isStory = (paragraph: readonly ParagraphSentence[]): boolean =>
  SETS_SCENE.test(paragraph[0]?.text ?? "") ||
  paragraph.filter(({ text }) => PERSON.test(text)).length > MAX_PERSON_SENTENCES;
