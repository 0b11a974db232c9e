import { splitSentences } from "#shared/text/sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";

/** A passage that was found for a question. */
export interface FoundPassage {
  text: string;
  /** Score of the search that found it; higher is better. */
  score: number;
  /** The heading above it. */
  heading?: string;
  sourceId?: string;
  /** The title of its source. */
  title?: string;
  /** Its position among the passages of its source. */
  position?: number;
  /** Whether the passage is a flashcard, whose two sides are shown together. */
  isCard?: boolean;
}

/** One to three neighbouring sentences of a passage, word for word. */
export interface Excerpt {
  passage: number;
  text: string;
  /** Position of the first sentence in the passage. */
  at: number;
  sentences: number;
  terms: ReadonlySet<string>;
  words: number;
}

/** Fewer words without a full stop are a label; a sentence with more is a table that was read as one. */
const MIN_WORDS = 5;
const MIN_SENTENCE_WORDS = 4;
const MAX_WORDS = 70;
const MAX_SENTENCES = 3;
const MAX_EXCERPT_WORDS = 110;

const PRONOUN =
  "it|its|they|their|them|he|his|him|she|her|hers|this|these|those|such|both|others|another|the (?:former|latter|other|same|group|event|act|law|bill|plan|program|programme|model|goal|result|study|first|second|third)|most of (?:it|them)|some (?:of them|remember)|" +
  "er|sie|es|dies|diese[rsnm]?|jene[rsnm]?|ihr|ihre[rsnm]?|sein|seine[rsnm]?|das (?:ist|war|wird|heißt|liegt|bedeutet)|dadurch|dabei|damit|dafür|dagegen|daher|deshalb|außerdem|jedoch|danach";
const CONNECTIVE =
  "however|but|and|so|yet|thus|therefore|hence|moreover|furthermore|also|then|instead|afterwards|later|for (?:example|instance)|in (?:addition|contrast|turn|fact|other words)|as a result|by contrast|similarly|likewise|often|currently|additionally|conversely|consequently|nevertheless|otherwise|here|there,";
/** "It triggers …", "However, they …": the sentence needs the one before it. */
const STARTS_MID_THOUGHT = new RegExp(`^["“(]?(?:${PRONOUN}|${CONNECTIVE})(?![\\p{L}'’-])`, "iu");
/** "Injury to this area …", "In this case …": refers back after a few words. */
const REFERS_BACK =
  /^(?:[\p{L}'’-]+\s){1,4}(?:this|these|those|such an?|dieser?|diese[nms])\s+(?!(?:is|are|was|were|of|in)\b)\p{Ll}/iu;

/** "Like animals, they must …", "That is because …". */
const SUBJECT_IS_BEFORE =
  /^(?:(?:in|on|at|for|with|like|unlike|by|after|before|during)\s(?:[\p{L}'’-]+\s?){1,3},\s(?:they|it|he|she|this|these)|that(?:['’]s|\s(?:is|was|means)))(?!\p{L})/iu;

/** Whether a sentence is understood only together with the one before it. */
const needsSentenceBefore = (sentence: string): boolean =>
  STARTS_MID_THOUGHT.test(sentence) || REFERS_BACK.test(sentence) || SUBJECT_IS_BEFORE.test(sentence);

/** What only joins a paragraph to the one before it: "However, the ribosome …", "To solve this problem, the …". */
export const PARAGRAPH_CONNECTIVE = String.raw`(?:(?:however|but|thus|therefore|hence|moreover|furthermore|in (?:addition|contrast)|by contrast|similarly|likewise|additionally|conversely|consequently|nevertheless|to \p{L}+ (?:this|these)(?: \p{L}+)?),? )`;
const JOINS = new RegExp(`^${PARAGRAPH_CONNECTIVE}`, "iu");

/** Whether the sentence at this position of its passage can be understood without the one before it. */
const canBeginExcerpt = (sentence: string, at: number): boolean =>
  !needsSentenceBefore(at === 0 ? sentence.replace(JOINS, "") : sentence);

interface Sentence {
  text: string;
  words: number;
  start: number;
  end: number;
}

function sentencesOf(text: string): Sentence[] {
  return splitSentences(text).map((span) => ({ ...span, words: wordsOf(span.text).length }));
}

/** The line below a picture. */
const IS_CREDIT = /\(credit\b/iu;
const isLongEnough = ({ text, words }: Pick<Sentence, "text" | "words">) =>
  words >= MIN_WORDS || (words >= MIN_SENTENCE_WORDS && text.endsWith("."));
const isProse = ({ text, words }: Sentence) =>
  isLongEnough({ text, words }) && words <= MAX_WORDS && !text.endsWith("?") && !IS_CREDIT.test(text);
/** A text with the blank of a flashcard is not an answer. */
const HAS_GAP = /_{3,}|\{\{c\d+::/u;

/** An entry of a list of references. */
const IS_REFERENCE =
  /^[^.?!]{2,20}[.,].{0,200}\(\d{4}[a-z]?(?:, [^)]{1,30})?\)\.\s|\bdoi:|\bRetrieved from\b|^\p{Lu}[\p{L}'’-]+, \p{Lu}[\p{L}.]*(?: [\p{L}.,&]+){0,8} (?:\[?\d{4}[a-z]?\]?[.\s]){1,2}/u;

/** A sentence that refers to other material, or to the reader's progress, says nothing about the subject. */
const POINTER =
  /\b(?:see|refer to|shown in|seen in|listed in|depicted in|illustrated in|summari[sz]ed in|review)\s+(?:the\s+|this\s+)?(?:figure|table|fig\.|chapter|section|link|video|website)|^(?:you have now|at this point,? you|in this (?:chapter|section|module)|now that you|recall that we)\b|^for (?:a summary|more|an overview) (?:of|on|about)\b|^(?:click|watch|visit|view|read more|explore)\b.{0,80}\b(?:links?|videos?|sites?|websites?|animations?|interactive)\b|\b(?:this|the) (?:link|video|website|animation|interactive)\b.{0,20}\b(?:leads?|shows?|explains?|describes?)\b/iu;

export const isPointerText = (text: string): boolean => POINTER.test(text);
/** Whether a text starts in the middle of a sentence or of a caption. */
export const startsMidSentence = (text: string) =>
  /^["“(]?\p{Ll}/u.test(text) || /^(?:\p{L}+\s)?\([a-h]\)\s/u.test(text);

/** All excerpts of a passage that can be understood alone. */
function excerptsOf({ text, isCard }: FoundPassage, passage: number): Excerpt[] {
  if (HAS_GAP.test(text) || IS_REFERENCE.test(text)) return [];
  const excerpt = (from: number, to: number, at: number, count: number): Excerpt => {
    const words = text.slice(from, to);
    return {
      passage,
      text: words,
      at,
      sentences: count,
      terms: new Set(searchTerms(words)),
      words: wordsOf(words).length,
    };
  };
  if (isCard) return [excerpt(0, text.length, 0, 1)];
  const sentences = sentencesOf(text);
  return sentences.flatMap((first, at) => {
    if (!isProse(first) || !canBeginExcerpt(first.text, at)) return [];
    const found: Excerpt[] = [];
    for (let count = 1; count <= MAX_SENTENCES; count += 1) {
      const last = sentences[at + count - 1];
      if (!last || !(isProse(last) || (count > 1 && !last.text.endsWith("?") && last.words <= MAX_WORDS))) break;
      const next = excerpt(first.start, last.end, at, count);
      if (count > 1 && next.words > MAX_EXCERPT_WORDS) break;
      found.push(next);
    }
    return found;
  });
}

const MAX_EXCERPTS = 1500;

export const excerptsOfAll = (passages: readonly FoundPassage[]): Excerpt[] =>
  passages.flatMap(excerptsOf).slice(0, MAX_EXCERPTS);

/**
 * The excerpt with its neighbours in the passage up to `maxWords`: first the sentences after it, then the sentence
 * before it. They often contain the reason or the steps that a question asks for.
 */
export function withNeighbours(excerpt: Excerpt, passages: readonly FoundPassage[], maxWords: number): Excerpt {
  const passage = passages[excerpt.passage];
  if (!passage || passage.isCard) return excerpt;
  const { text } = passage;
  const sentences = sentencesOf(text);
  const isQuotable = (at: number) => {
    const sentence = sentences[at];
    return (
      sentence !== undefined && isProse(sentence) && !isPointerText(sentence.text) && !startsMidSentence(sentence.text)
    );
  };
  let [from, to] = [excerpt.at, excerpt.at + excerpt.sentences];
  let { words } = excerpt;
  const wordsOfRange = (start: number, end: number) =>
    sentences.slice(start, end).reduce((total, sentence) => total + sentence.words, 0);
  while (isQuotable(to) && words + wordsOfRange(to, to + 1) <= maxWords) {
    words += wordsOfRange(to, to + 1);
    to += 1;
  }
  // An excerpt must not begin with a sentence that depends on the previous one.
  for (let start = from - 1; isQuotable(start) && words + wordsOfRange(start, from) <= maxWords; start -= 1) {
    if (needsSentenceBefore(sentences[start]?.text ?? "")) continue;
    words += wordsOfRange(start, from);
    from = start;
    break;
  }
  const [first, last] = [sentences[from], sentences[to - 1]];
  if (!first || !last) return excerpt;
  const quoted = text.slice(first.start, last.end);
  return { ...excerpt, text: quoted, at: from, sentences: to - from, terms: new Set(searchTerms(quoted)), words };
}

const MAX_CONTINUED_WORDS = 85;

/** The excerpt with the sentences after it that continue its thought, such as "It also …", or its subject. */
export function withContinuation(best: Excerpt, excerpts: readonly Excerpt[], subject: readonly string[]): Excerpt {
  const longer = excerpts.filter(({ passage, at, sentences }) => {
    return passage === best.passage && at === best.at && sentences > best.sentences;
  });
  let extended = best;
  for (const next of longer) {
    const added = next.text.slice(extended.text.length).trim();
    const addedTerms = new Set(searchTerms(added));
    const isSameSubject = subject.length > 0 && subject.every((term) => addedTerms.has(term));
    if (next.words > MAX_CONTINUED_WORDS || !(isSameSubject || needsSentenceBefore(added))) break;
    extended = next;
  }
  return extended;
}
