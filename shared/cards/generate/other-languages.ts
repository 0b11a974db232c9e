import type { Passage } from "#shared/pdf/schema.ts";
import { splitSentences } from "#shared/text/sentences.ts";

/** What the engine knows of the grammar of a language: enough for "T is a …". */
interface LanguagePatterns {
  /** Words that only this language uses often. */
  common: RegExp;
  article: string;
  /** Between a term and what it is. */
  copula: string;
  /** What a definition begins with. */
  opening: RegExp;
  /** A sentence that begins so leans on the one before, or speaks to the reader. */
  leaning: RegExp;
  /** Words that point at what stands elsewhere, anywhere in a sentence. */
  pointing: RegExp;
  /** A clause that begins so has no subject before its verb. */
  notSubject: RegExp;
  ask: (term: string, isPlural: boolean) => string;
  /** "The goal of T is to …", with the question for it. */
  goal: RegExp;
  askGoal: (goal: string) => string;
  /** Before the name that a sentence gives. */
  naming: RegExp;
}

const LANGUAGES: readonly LanguagePatterns[] = [
  {
    common: /(?<!\p{L})(?:der|die|das|und|ist|nicht|mit|wird|eine?[rsnm]?|von|für|auf|sind)(?!\p{L})/giu,
    article: "der|die|das|ein|eine",
    copula: "ist|sind|bezeichnet",
    opening: /^(?:eine?[rsnm]?|der|die|das|den|jede[rsn]?) /i,
    leaning:
      /^(?:dies|diese[rsnm]?|es|er|sie|das (?:ist|sind|heißt|kann|wird)|hier|so|dabei|damit|dazu|man|wir|jede[rs]?|ein (?:weitere|andere|solche)\p{L}*)\b/iu,
    pointing:
      /(?<!\p{L})(?:dies(?:e[rsnm]?)?|jene[rsnm]?|solche[rsnm]?|folgende[rsnm]?|obige[rsnm]?|oben|unten|hingegen)(?!\p{L})/iu,
    notSubject:
      /^(?:wenn|da|dann|weil|ob|falls|obwohl|während|nachdem|in|im|bei|beim|für|mit|von|auf|nach|wo|als|um|zu|durch|an|am|auch|nur)\b/iu,
    goal: /^((?:das|die|der) (?:Ziel|Aufgabe|Zweck) (?:der|des|von|einer|eines) [^,.]{3,60}?) (?:ist|besteht darin,?) (.+)$/iu,
    askGoal: (goal) => `Was ist ${goal}?`,
    naming: /(?:heißt|heißen|nennt man|bezeichnet man als|wird als) $/iu,
    ask: (term, isPlural) => `Was ${isPlural ? "sind" : "ist"} ${term}?`,
  },
  {
    common:
      /(?<!\p{L})(?:le|la|les|une?|des|est|par|avec|que|sur|ne|pas|dans|pour|qui|sont|du|au|et|cette)(?!\p{L})/giu,
    article: "le|la|les|l[’']|une?|des",
    copula: "est|sont|désigne",
    opening: /^(?:une?|des|les?|la|l[’']|toute?|tous) ?/i,
    leaning: /^(?:ce|cet|cette|ces|c[’']|il|ils|elles?|on|nous|ici|cela|ainsi|en)(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:ce(?! q)|cet|cette|ces|celui-ci|celle-ci|suivante?s?|précédente?s?|ci-dessus|ci-dessous|ici)(?!\p{L})/iu,
    notSubject:
      /^(?:où|si|quand|lorsque?|dans|pour|avec|par|sur|sous|comme|car|puis|donc|mais|chez|à|aux?|de|du)(?!\p{L})/iu,
    goal: /^((?:le but|l[’']objectif|le rôle|la fonction) (?:de |du |des |d[’'])[^,.]{3,60}?) est (?:de |d[’'])(.+)$/iu,
    askGoal: (goal) => `Quel est ${goal} ?`,
    naming:
      /(?:est|sont) (?:appelée?s?|dite?s?|nommée?s?) (?:une? |le |la |les |l[’'])?$|s[’']appellent? (?:une? |le |la |les |l[’'])?$/iu,
    ask: (term, isPlural) => `${isPlural ? "Que sont" : "Qu’est-ce que"} ${term} ?`,
  },
  {
    common: /(?<!\p{L})(?:el|la|los|las|una?|es|en|al|y|lo|para|por|con|que|del|son|como|se)(?!\p{L})/giu,
    article: "el|la|los|las|una?",
    copula: "es|son",
    opening: /^(?:una?|unos|unas|el|la|los|las|cualquier|todo) /i,
    leaning: /^(?:este|esta|estos|estas|eso|esto|es|ello|él|ella|ellos|aquí|se|sea|así)(?!\p{L})/iu,
    pointing: /(?<!\p{L})(?:est[eao]s?|es[ea]s?|aquell?[oa]s?|siguientes?|anteriore?s?|arriba|abajo|aquí)(?!\p{L})/iu,
    notSubject:
      /^(?:donde|si|cuando|en|para|con|por|como|aunque|porque|pero|sin|de|del|al?|también|entre|según)(?!\p{L})/iu,
    goal: /^((?:el objetivo|la función|el propósito|la finalidad) (?:de |del )[^,.]{3,60}?) es (.+)$/iu,
    askGoal: (goal) => `¿Cuál es ${goal}?`,
    naming: /(?:se (?:denominan?|llaman?|conocen? como)|es llamad[oa]|son llamad[oa]s) (?:el |la |los |las |una? )?$/iu,
    ask: (term, isPlural) => `¿Qué ${isPlural ? "son" : "es"} ${term}?`,
  },
  {
    common: /(?<!\p{L})(?:o|os|as|uma?|não|na|no|para|por|com|que|do|da|dos|são|é|em|ao)(?!\p{L})/giu,
    article: "o|a|os|as|uma?",
    copula: "é|são",
    opening: /^(?:uma?|uns|umas|o|a|os|as|qualquer|todo) /i,
    leaning: /^(?:este|esta|estes|estas|isso|isto|é|ele|ela|eles|aqui|seja|assim|esse|essa)(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:(?:d|n)?est[eao]s?|(?:d|n)?ess[ea]s?|(?:d|n)?isso|isto|seguintes?|seguem|anterior(?:es)?|acima|abaixo|aqui)(?!\p{L})/iu,
    notSubject:
      /^(?:onde|se|quando|em|no|na|nos|nas|para|com|por|como|embora|porque|mas|sem|de|do|da|ao|também|entre|segundo)(?!\p{L})/iu,
    goal: /^((?:o objetivo|a função|o propósito|a finalidade) (?:de |do |da |dos |das )[^,.]{3,60}?) é (.+)$/iu,
    askGoal: (goal) => `Qual é ${goal}?`,
    naming:
      /(?:é chamad[oa]|são chamad[oa]s|chamam?-se|é conhecid[oa] como|denominam?-se) (?:de )?(?:o |a |os |as |uma? )?$/iu,
    ask: (term, isPlural) => `O que ${isPlural ? "são" : "é"} ${term}?`,
  },
];

const MIN_COMMON_SHARE = 0.12;

/** Whether a word joins others in one of these languages: no answer to anything. */
export const isJoiningWord = (word: string): boolean =>
  LANGUAGES.some(({ common }) => word.replaceAll(common, "").trim() === "");

/** The language of a text if the engine knows its patterns. */
export function patternsOf(text: string): LanguagePatterns | undefined {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const [best] = LANGUAGES.map((language) => ({ language, count: text.match(language.common)?.length ?? 0 })).toSorted(
    (a, b) => b.count - a.count,
  );
  return best !== undefined && best.count >= words * MIN_COMMON_SHARE ? best.language : undefined;
}

const LABEL = /^\s*(?:[b-z] )?(\p{Lu}[^.:;–—=()]{2,60}?)(?: \([^()]{1,30}\))? ?(?: [–—-] |: )/u;

/** "Permutation" in "r Permutation – Eine Permutation ist …", with where its text begins. */
export function labelOf(text: string): { name: string; end: number } | undefined {
  const match = LABEL.exec(text);
  return match?.[1] === undefined ? undefined : { name: match[1].trim(), end: match[0].length };
}

export interface FoundDefinition {
  question: string;
  answer: string;
  quote: string;
}

const MIN_ANSWER_WORDS = 4;
const MAX_ANSWER_WORDS = 24;
const count = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
/** Signs of formulas, which parsers tear. */
const SYMBOLS = /[=<>≤≥∑∏∫∈ℝ{}|^\\_]|\p{L}\d|\d\p{L}|[\p{L}\d]\(/iu;
export const hasSymbols = (text: string): boolean => SYMBOLS.test(text);

const ENDS = /[.!。]["”»)]?$/u;
/** ", often noted X, is": what is said in passing between a subject and its verb. */
const inPassing = ({ copula }: LanguagePatterns) => new RegExp(`^(.{2,80}?), [^,]{3,60}, (?=(?:${copula}) )`, "iu");
/** Notation in brackets. */
const ASIDES = /\s*\([^()]{0,80}\)|(?<=\p{Ll}{3}) \{[^{}]{1,40}\}?(?:\}|(?=\.$))/gu;
/** "The main problem in this respect": what it is depends on the text around it. */
const VAGUE_TERM =
  /^(?:\p{L}{1,4} )?principal(?:e|es|is|aux)? |(?<!\p{L})(?:não|no$|nicht|kein\p{L}*|pas|wichtigste[rsn]?|dies\p{L}*|est[aeo]s?|ess[ae]s?|cette|ces?|folgende[rsn]?|siguientes?|suivante?s?|seguintes?)(?!\p{L})/iu;
/** "A little more complicated", "a problem": a remark that says no kind of thing. */
const REMARK =
  /^\p{L}+ (?:wenig|bisschen|peu|poco|pouco|Problem|problème|problema|Beispiel|exemple|ejemplo|exemplo)(?!\p{L})/iu;
const RELATIVE = /^[\p{L}\p{M}’'/ -]{3,60},? (?:que|qui|die|welche) /iu;
const TRAILING_NOTE =
  /,? (?:et|y|e|und) [^,.]{0,40}\bnot(?:ée?s?|adas?|ados?|iert)\b.*$|,? y a menudo son denotadas .*$/iu;

/** "Seite 52", "section 6.2": another part of the source. */
const REFERS_TO_PART =
  /(?<!\p{L})(?:Abschnitt|Kapitel|Seite|Tabelle|Abbildung|chapitre|section|page|tableau|figure|capítulo|sección|página|tabla|figura|secção|seção|tabela|capitolo|sezione|pagina|tabella)\s\d/iu;
/** "aIsto": the letter of a footnote before its text, or two words that a parser joined. */
const TORN_START = /^\p{Ll}\p{Lu}\p{Ll}{2}/u;
const CITATION = /\s?\[\d+(?:, ?\d+)*\]/gu;

/** Whether a sentence can be understood without the text around it; of an unknown language little is known. */
export const standsAlone = (sentence: string, patterns: LanguagePatterns | undefined): boolean =>
  !TORN_START.test(sentence) &&
  !REFERS_TO_PART.test(sentence) &&
  !/!(?!\p{L})/u.test(sentence) &&
  (patterns === undefined || !(patterns.leaning.test(sentence) || patterns.pointing.test(sentence)));

const upperStart = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

interface Sentence {
  raw: string;
  /** Start in its passage, after bullets and labels. */
  start: number;
  /** Without its label, notation and what is said in passing. */
  plain: string;
}

function sentencesOf(text: string, patterns: LanguagePatterns): Sentence[] {
  const passing = inPassing(patterns);
  const label = labelOf(text);
  return splitSentences(text, "und").flatMap(({ text: raw, start }): Sentence[] => {
    const bare = label !== undefined && start < label.end ? raw.slice(label.end - start) : raw;
    const plain = bare.trim().replace(ASIDES, "").replace(passing, "$1 ").replace(CITATION, "");
    const isFirst = start <= Math.max(label?.end ?? 0, /^\P{L}*/u.exec(text)?.[0].length ?? 0);
    return ENDS.test(plain) ? [{ raw, start: isFirst ? 0 : start, plain: plain.replace(/[\s.!]+$/, "") }] : [];
  });
}

const isAnswer = (answer: string) =>
  count(answer) >= MIN_ANSWER_WORDS && count(answer) <= MAX_ANSWER_WORDS && !hasSymbols(answer);

const MAX_TERM_WORDS = 7;
/** "The symbols that follow", "the letters not": the term has a verb or its negation in it. */
const HAS_CLAUSE = /(?<!\p{L})(?:que|qui|se|ne|pas|no|não|nicht)(?!\p{L})/iu;
const isTerm = (text: string, { notSubject }: LanguagePatterns) =>
  text !== "" &&
  count(text) <= MAX_TERM_WORDS &&
  !notSubject.test(text) &&
  !VAGUE_TERM.test(text) &&
  !HAS_CLAUSE.test(text);

const DEFINITE = /^(?:der|die|das|le|la|les|l[’']|el|los|las|o|a|os|as)(?: |(?<=[’']))/iu;

/** "Außerdem" at the beginning of a sentence: an adverb has a capital there, as a name has. */
const OPENING_WORD = /^\p{Lu}\p{Ll}+$/u;

/** Names that the source introduces: what it sets in bold, heads a section with, or labels a paragraph with. */
export interface IntroducedNames {
  has: (name: string) => boolean;
}

/**
 * "The argument is …" in the middle of a paragraph: the one of which the text just spoke, not any argument. At the
 * beginning of a paragraph, or for a name that is introduced, it is meant in general.
 */
function isMeantInGeneral(term: string, { start }: Sentence, introduced: IntroducedNames): boolean {
  const name = term.replace(DEFINITE, "");
  if (OPENING_WORD.test(term)) return introduced.has(name);
  return name === term || start === 0 || /^\P{L}*\p{L}*\p{Lu}.*\p{Lu}/u.test(name) || introduced.has(name);
}

function askWhat(sentence: Sentence, patterns: LanguagePatterns, introduced: IntroducedNames): FoundDefinition[] {
  const { raw, plain } = sentence;
  const statement = new RegExp(
    `^((?:(?:${patterns.article}) ?)?[\\p{L}][\\p{L}\\p{M}’'-]+(?: [\\p{L}\\p{M}’'-]+){0,6}?) (${patterns.copula}) (.+)$`,
    "iu",
  );
  const [, term = "", verb = "", rest = ""] = statement.exec(plain) ?? [];
  const isPlural = /^(?:sind|sont|son|são)$/i.test(verb);
  const answer = rest.replace(TRAILING_NOTE, "");
  const explains = patterns.opening.test(answer) || (isPlural && RELATIVE.test(answer));
  if (!explains || !isAnswer(answer) || REMARK.test(answer) || !isTerm(term, patterns)) return [];
  if (!isMeantInGeneral(term, sentence, introduced)) return [];
  return [
    { question: patterns.ask(lowerArticle(term, patterns.article), isPlural), answer: upperStart(answer), quote: raw },
  ];
}

function askGoal({ raw, plain }: Sentence, patterns: LanguagePatterns): FoundDefinition[] {
  const [, goal = "", answer = ""] = patterns.goal.exec(plain) ?? [];
  if (goal === "" || !isAnswer(answer)) return [];
  return [{ question: patterns.askGoal(lowerArticle(goal, patterns.article)), answer: upperStart(answer), quote: raw }];
}

const MAX_NAME_WORDS = 4;
const MIN_CONTEXT_WORDS = 5;

/** "El autovector … se denomina autovector principal de la matriz": a blank for the name. */
function blankName({ raw, plain }: Sentence, patterns: LanguagePatterns): FoundDefinition[] {
  const words = plain.split(" ");
  const at = words.findLastIndex((_, i) => patterns.naming.test(`${words.slice(0, i).join(" ")} `));
  const tail = words.slice(at).join(" ");
  const name = /^(.+?)(?= (?:de|du|des|der|do|da|del|den|von|und|et|y|e)(?= )|,|$)/iu.exec(tail)?.[1] ?? "";
  const context = words.slice(0, at).join(" ");
  if (at < MIN_CONTEXT_WORDS || name === "" || count(name) > MAX_NAME_WORDS || hasSymbols(plain)) return [];
  if (count(plain) > MAX_ANSWER_WORDS || plain.split(name).length !== 2) return [];
  return [{ question: upperStart(`${context} ____${tail.slice(name.length)}.`), answer: name, quote: raw }];
}

/** What a passage defines, names or says the goal of, with the question in its language. */
export function definitionsIn(
  { text }: Passage,
  patterns: LanguagePatterns,
  introduced: IntroducedNames,
): FoundDefinition[] {
  return sentencesOf(text, patterns)
    .filter(({ plain }) => standsAlone(plain, patterns))
    .flatMap((sentence) => {
      const goals = askGoal(sentence, patterns);
      const found = goals.length > 0 ? goals : askWhat(sentence, patterns, introduced);
      return found.length > 0 ? found : blankName(sentence, patterns);
    });
}

function lowerArticle(term: string, article: string): string {
  const hasArticle = new RegExp(`^(?:${article})(?: |(?<=[’']))`, "iu").test(term);
  return hasArticle ? term.charAt(0).toLocaleLowerCase() + term.slice(1) : term;
}
