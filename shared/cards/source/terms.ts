import { namedTerms } from "./named-terms.ts";
import type { Token } from "#shared/text/tokens.ts";
import { isStopWord, phraseKey, wordsOf } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface Term {
  key: string;
  /** The spelling of its first occurrence. */
  surface: string;
  /** 0 to 1 for words found by frequency; 1 and more for emphasised words. */
  weight: number;
  isMarked: boolean;
  count: number;
}

/** Words that occur in texts about any subject, so they are no terms by themselves. */
const GENERAL = new Set(
  (
    "way type kind form part number example process result group set case time place point level thing fact use role " +
    "function effect change difference property feature characteristic structure system method step stage amount rate " +
    "size area end side region site state order range variety series combination condition position reason cause " +
    "purpose question problem answer term word name person people man woman student scientist researcher author study " +
    "work research experiment observation idea concept theory model year day century today world life body thing " +
    "ability presence absence addition increase decrease lack loss gain need source product material substance object " +
    "element component unit member individual population figure table chapter section text book page line image " +
    "information knowledge data evidence basis approach field subject topic issue factor aspect activity event action " +
    "behavior behaviour response reaction interaction relationship relation connection link direction distance length " +
    "category stage phase subunit total majority minority half pair couple dozen hundred thousand million first second third one two three four " +
    "several similarity importance value quality quantity degree extent period moment situation environment " +
    "development production formation movement mechanism pathway sequence copy piece surface space layer center centre"
  ).split(" "),
);

/** "appropriate action", "a clear advantage": such an adjective with a general noun makes no term. */
const EVALUATIVE_WORD =
  /^(?:appropriate|clear|good|better|best|important|necessary|proper|adequate|reasonable|sufficient|significant|major|minor|great|greater|large|larger|small|smaller|high|higher|low|lower|wide|broad|key|common|popular|useful|new|own|additional|further|possible|available|relevant|respective|entire|overall|actual|real|full|total|vast|early|recent|strong|weak|correct|wrong|special|typical|normal|ideal|unique|modern|current|present|today|minimum|maximum|advantage|disadvantage|attention|care|importance|opportunity|success|difficulty)$/;

/** A phrase that consists only of such words is too vague to be a name. */
export const isVagueWord = (word: string) => isEvaluating(word) || isGeneralWord(word);
export const isEvaluating = (word: string) => EVALUATIVE_WORD.test(word);

export const isGeneralWord = (word: string) => GENERAL.has(word) || isStopWord(word);

const LABEL =
  /[:?!]$|^(?:note|example|question|answer|hint|tip|figure|table|step|part|task|definition|theorem|proof)\b/i;

function isTermLike(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > 6 || text.length < 2 || text.length > 60) return false;
  if (/^(?:nothing|something|anything|everything|never|always|not|only|same) /i.test(text)) return false;
  if (!/\p{L}{2}|\p{Lu}-?\d/u.test(text) || LABEL.test(text) || /[.;=]\s|[=<>]/.test(text)) return false;
  return !words.every((w) => isVagueWord(w) || w.length < 2) && !isStopWord(words[0] ?? "");
}

/** "A **theory** is": a common word that is emphasised within a sentence is a term there. */
const isCommonTerm = (text: string) => /^\p{Ll}{5,}$/u.test(text) && !isStopWord(text);

/** "promoter (", " codons.", "the nucleus": removes what a bold run includes by accident. */
export function trimMarked(text: string): string {
  const plain = text
    .replace(/\\/g, "")
    .replace(/\s*\([^)]*\)?\s*$/, "")
    .replace(/\s*\([^()]*\)/g, "")
    .replace(/\s+/g, " ");
  return plain.replace(/^(?:the|a|an)\s+/i, "").replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu, "");
}

export interface MarkedTerm {
  text: string;
  passage: Passage;
  start: number;
  end: number;
}

/** "**carbon** **fixation**": runs separated only by a space are one. */
function joinRuns(text: string, ranges: Passage["bold"]): Passage["bold"] {
  const joined: Passage["bold"] = [];
  for (const [start, end] of ranges) {
    const last = joined.at(-1);
    const isSameRun = last !== undefined && start >= last[1] && /^[\s-]{0,2}$/.test(text.slice(last[1], start));
    if (isSameRun) joined[joined.length - 1] = [last[0], end];
    else joined.push([start, end]);
  }
  return joined;
}

function rangesOf(passages: readonly Passage[], style: "bold" | "italic"): MarkedTerm[] {
  return passages.flatMap((passage) => {
    const isBody = passage.kind === "paragraph" || passage.kind === "list_item";
    const ranges = isBody ? joinRuns(passage.text, passage[style]).slice(0, 40) : [];
    const emphasised = ranges.reduce((n, [a, b]) => n + b - a, 0);
    // If most of a block is emphasised, nothing is.
    if (emphasised > passage.text.length * 0.5 && passage.text.length > 60) return [];
    return ranges
      .map(([start, end]) => wordBefore(passage.text, start, end))
      .map(([start, end]) => ({ text: trimMarked(passage.text.slice(start, end)), passage, start, end }))
      .filter(({ text, end }) => (isTermLike(text) || isCommonTerm(text)) && !isRunIn(passage.text, end));
  });
}

/** "septa (singular, **septum**)": the name used by the sentence is before the brackets. */
function wordBefore(text: string, start: number, end: number): [number, number] {
  const before = /(\p{L}+)\s*\((?:singular|plural)\s*[,:=]?\s*$/iu.exec(text.slice(0, start));
  return before ? [before.index, before.index + (before[1]?.length ?? 0)] : [start, end];
}

/** "Question: …" in bold starts a block, like an inline heading. */
const isRunIn = (text: string, end: number) => /^[\s\\]*:/.test(text.slice(end)) && text.slice(0, end).length < 40;

/** Words that the author emphasised; italics count only if there is no bold. */
export function markedTerms(passages: readonly Passage[]): MarkedTerm[] {
  const bold = rangesOf(passages, "bold");
  const words = passages.reduce((n, p) => n + p.text.length, 0) / 6;
  if (bold.length > words / 1500) return bold;
  const italic = rangesOf(passages, "italic").filter(({ text }) => !/^\p{Lu}\p{Ll}+ \p{Ll}+$/u.test(text));
  const styled = [...bold, ...italic];
  return styled.length > words / 1500 ? styled : [...styled, ...namedTerms(passages, isTermLike)];
}

const NOUN_PHRASE_POS = /^(?:ADJ|NOUN|PROPN)$/;

/** The noun phrases of a sentence, longest first, without articles and numbers. */
export function nounPhrases(tokens: readonly Token[]): Token[][] {
  const phrases: Token[][] = [];
  let open: Token[] = [];
  const close = () => {
    while (open.length > 0 && !/^(?:NOUN|PROPN)$/.test(open.at(-1)?.pos ?? "")) open.pop();
    if (open.length > 0 && open.length <= 5) phrases.push(open);
    open = [];
  };
  for (const token of tokens) {
    if (NOUN_PHRASE_POS.test(token.pos) && /^[\p{L}\p{N}][\p{L}\p{N}'’-]*$/u.test(token.text)) open.push(token);
    else close();
  }
  close();
  return phrases;
}

interface Phrase {
  count: number;
  surface: string;
  size: number;
}

/** Maximum number of terms found by frequency. */
const MAX_COUNTED = 400;

function isPhraseTerm(key: string): boolean {
  if (key.split(" ").some((w) => w.length > 30)) return false;
  return key.includes(" ") || (key.length > 2 && !isGeneralWord(key));
}

export class TermIndex {
  readonly #terms = new Map<string, Term>();
  readonly #aliases = new Map<string, string>();
  /** How often each phrase, and each word within phrases, occurs. */
  readonly #phrases = new Map<string, Phrase>();
  readonly #nested = new Map<string, { count: number; hosts: Set<string> }>();

  addMarked(emphasised: readonly MarkedTerm[]) {
    for (const { text } of emphasised) {
      const key = phraseKey(text);
      const known = this.#terms.get(key);
      if (known) known.count++;
      else this.#terms.set(key, { key, surface: text, weight: 1.5, isMarked: true, count: 1 });
    }
  }

  addSentence(tokens: readonly Token[]) {
    for (const phrase of nounPhrases(tokens)) {
      const surface = phrase.map((t) => t.text).join(" ");
      const key = phraseKey(surface);
      const known = this.#phrases.get(key);
      if (known) known.count++;
      else this.#phrases.set(key, { count: 1, surface, size: phrase.length });
      for (let i = 1; i < phrase.length; i++) this.#addNested(phraseKey(surface.split(" ").slice(i).join(" ")), key);
    }
  }

  #addNested(key: string, host: string) {
    const known = this.#nested.get(key) ?? { count: 0, hosts: new Set() };
    known.count++;
    known.hosts.add(host);
    this.#nested.set(key, known);
  }

  /** C-value: frequent, long, and not merely part of a longer phrase; undefined if it isn't a term. */
  #rank(key: string, { count, surface, size }: Phrase): Term | undefined {
    const inside = this.#nested.get(key);
    const total = count + (inside?.count ?? 0);
    const alone = inside ? total - inside.count / Math.max(1, inside.hosts.size) : total;
    const isRare = total < (key.includes(" ") ? 2 : 3);
    if (isRare || !isPhraseTerm(key) || !isTermLike(surface)) return undefined;
    return { key, surface, weight: Math.log2(size + 1) * alone, isMarked: false, count: total };
  }

  /** Called after the last sentence: adds the best phrases to the emphasised terms. */
  rankPhrases() {
    const ranked = [...this.#phrases].flatMap(([key, phrase]) => this.#rank(key, phrase) ?? []);
    ranked.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
    const top = ranked[0]?.weight ?? 1;
    for (const term of ranked.slice(0, MAX_COUNTED)) {
      const weight = Math.min(1, 0.15 + Math.sqrt(term.weight / top));
      const known = this.#terms.get(term.key);
      if (!known) this.#terms.set(term.key, { ...term, weight });
      else Object.assign(known, { weight: known.weight + weight / 2, count: Math.max(known.count, term.count) });
    }
    this.#phrases.clear();
    this.#nested.clear();
  }

  /** Makes an abbreviation the same term as its long form, if the long form is a term. */
  alias(short: string, long: string) {
    this.#aliases.set(phraseKey(short), phraseKey(long));
  }

  filter(areTermLike: (term: Term) => boolean): Term[] {
    return [...this.#terms.values()].filter(areTermLike);
  }

  get(text: string): Term | undefined {
    return this.byKey(phraseKey(text));
  }

  byKey(key: string): Term | undefined {
    const long = this.#aliases.get(key);
    return (long === undefined ? undefined : this.#terms.get(long)) ?? this.#terms.get(key);
  }

  /** The terms in the text, longest match first, without overlaps. */
  findIn(text: string): Term[] {
    const words = phraseKey(text).split(" ");
    const found: Term[] = [];
    for (let i = 0; i < words.length;) {
      let size = Math.min(6, words.length - i);
      let term: Term | undefined;
      for (; size > 0 && !term; size--) term = this.byKey(words.slice(i, i + size).join(" "));
      if (term) found.push(term);
      i += term ? size + 1 : 1;
    }
    return found;
  }
}
