import type { Passage } from "#shared/pdf/schema.ts";
import { type LanguagePatterns, type OtherSign } from "./language-patterns.ts";
import { splitSentences } from "#shared/text/sentences.ts";

const LABEL = /^\s*(?:[b-z] )?(\p{Lu}[^.:;–—=()]{2,60}?)(?: \([^()]{1,30}\))? ?(?: [–—-] |: )/u;

/** "Permutation" in "r Permutation – Eine Permutation ist …", with the position where its text begins. */
export function labelOf(text: string): { name: string; end: number } | undefined {
  const match = LABEL.exec(text);
  return match?.[1] === undefined ? undefined : { name: match[1].trim(), end: match[0].length };
}

export interface FoundDefinition {
  style: "definition" | "goal" | "name";
  question: string;
  answer: string;
  quote: string;
  /** The phrase that the card asks for or about, without its article. */
  phrase: string;
  signs: readonly OtherSign[];
}

const MIN_ANSWER_WORDS = 4;
const MAX_ANSWER_WORDS = 24;
const countWords = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
/** Signs of formulas, which parsers often break. */
const SYMBOLS = /[=<>≤≥∑∏∫∈ℝ{}|^\\_]|\p{L}\d|\d\p{L}|[\p{L}\d]\(/iu;
export const hasSymbols = (text: string): boolean => SYMBOLS.test(text);

const SENTENCE_END = /[.!。]["”»)]?$/u;
/** ", often noted X, is": a remark between a subject and its verb. */
const insertedRemark = ({ copula }: LanguagePatterns) =>
  new RegExp(`^(.{2,80}?), [^,]{3,60}, (?=(?:${copula}) )`, "iu");
/** Notation in brackets. */
const ASIDES = /\s*\([^()]{0,80}\)|(?<=\p{Ll}{3}) \{[^{}]{1,40}\}?(?:\}|(?=\.$))/gu;
/** "The main problem in this respect": its meaning depends on the surrounding text. */
const VAGUE_TERM =
  /^(?:\p{L}{1,4} )?principal(?:e|es|is|aux)? |(?<!\p{L})(?:não|no$|nicht|kein\p{L}*|pas|wichtigste[rsn]?|dies\p{L}*|est[aeo]s?|ess[ae]s?|cette|ces?|folgende[rsn]?|siguientes?|suivante?s?|seguintes?)(?!\p{L})/iu;
/** "A little more complicated", "a problem": a remark that does not say what kind of thing the term is. */
const REMARK =
  /^\p{L}+ (?:wenig|bisschen|peu|poco|pouco|Problem|problème|problema|Beispiel|exemple|ejemplo|exemplo)(?!\p{L})/iu;
/** "Barcos que …": a plural of a few words without an article. A longer one says what happens to the things. */
const RELATIVE = /^[\p{L}\p{M}’'/-]{3,}(?: [\p{L}\p{M}’'/-]+){0,3},? (?:que|qui|die|welche) /iu;
const TRAILING_NOTE =
  /,? (?:et|y|e|und) [^,.]{0,40}\bnot(?:ée?s?|adas?|ados?|iert)\b.*$|,? y a menudo son denotadas .*$/iu;

/** "Seite 52", "section 6.2": another part of the source. */
const REFERS_TO_PART =
  /(?<!\p{L})(?:Abschnitt|Kapitel|Seite|Tabelle|Abbildung|chapitre|section|page|tableau|figure|capítulo|sección|página|tabla|figura|secção|seção|tabela|capitolo|sezione|pagina|tabella)\s\d/iu;
/** "aIsto": the letter of a footnote before its text, or two words that a parser joined. */
const BROKEN_START = /^\p{Ll}\p{Lu}\p{Ll}{2}/u;
const CITATION = /\s?\[\d+(?:, ?\d+)*\]/gu;

/** Whether a sentence can be understood without the text around it; in an unknown language few signs can be checked. */
export const isUnderstandableAlone = (sentence: string, patterns: LanguagePatterns | undefined): boolean =>
  !BROKEN_START.test(sentence) &&
  !REFERS_TO_PART.test(sentence) &&
  !/!(?!\p{L})/u.test(sentence) &&
  (patterns === undefined || !(patterns.dependentOpening.test(sentence) || patterns.pointing.test(sentence)));

const upperStart = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

interface Sentence {
  original: string;
  /** Start in the passage; 0 if only bullets and labels precede the sentence. */
  start: number;
  /** The sentence without its label, notation and remarks. */
  plain: string;
}

function sentencesOf(text: string, patterns: LanguagePatterns): Sentence[] {
  const remark = insertedRemark(patterns);
  const label = labelOf(text);
  return splitSentences(text, "und").flatMap(({ text: original, start }): Sentence[] => {
    const bare = label !== undefined && start < label.end ? original.slice(label.end - start) : original;
    const plain = bare.trim().replace(ASIDES, "").replace(remark, "$1 ").replace(CITATION, "");
    const isFirst = start <= Math.max(label?.end ?? 0, /^\P{L}*/u.exec(text)?.[0].length ?? 0);
    return SENTENCE_END.test(plain)
      ? [{ original, start: isFirst ? 0 : start, plain: plain.replace(/[\s.!]+$/, "") }]
      : [];
  });
}

/** "Ejecutarlas", "sie … auszuführen": the pronoun refers to earlier text. */
const OPENS_ON_PRONOUN =
  /^(?:sie|es|ihn|ihm|ihr|dies\p{L}*)(?!\p{L})|^\p{L}+[aei]r-?l[aoe]s?(?!\p{L})|^l(?:es?|a|ui|eur) \p{L}+(?:er|ir|re)(?!\p{L})/iu;
/**
 * "Not the only ones", "one of the most important properties", "another tool": these say too little about the thing.
 */
const EXPLAINS_LITTLE =
  /^(?:nicht|pas|no|não) |^(?:eine[rs]?|une?|una?|uma?|l[’']une?|uno) (?:der|dieser|von|des|de l[ao]s|d[ao]s)(?!\p{L})|^(?:eine? weitere|une autre|un autre|d[’']autres|otr[oa]s?|(?:uma? )?outr[oa]s?)(?!\p{Ll}{3})/iu;
/** "A “Swiss Army knife” for the console": a comparison instead of a definition. */
const FIGURATIVE_DEFINITION = /^\p{L}+ (?:\p{Lu}{2,} )?["'“”„«»‚‘]/u;
/** "A very handy tool": only praise. */
const ONLY_PRAISE = /^\p{L}+ (?:\p{L}+ )?(?:absolut|sehr|très|muy|muito) [\p{L}-]+(?: [\p{L}-]+)?$/iu;
/** "Often made by others", "due to the rules": what happens to the thing instead of a definition. */
const HAPPENS_TO_IT =
  /^(?:souvent|largement|généralement|oft|häufig|meist|normalerweise|a menudo|normalmente|generalmente|geralmente)(?!\p{L})|^\p{L}+(?:és?|ées?|due?s?|mise?s?|ad[oa]s?|id[oa]s?) (?:à|aux?|par|en|al?|por)(?!\p{L})/iu;

/** "Multi-Tasking-System" is one word. */
const HYPHEN = /(?<=\p{L})-(?=\p{L})/gu;
/** "So the largest circles that …": a word that joins the sentence to the one before. */
const CONSEQUENCE_CONNECTIVE = /^(?:donc|alors|also|somit|folglich|pues|entonces|portanto|logo) /iu;

const isAnswer = (answer: string) =>
  !OPENS_ON_PRONOUN.test(answer) &&
  !EXPLAINS_LITTLE.test(answer) &&
  !FIGURATIVE_DEFINITION.test(answer) &&
  !ONLY_PRAISE.test(answer) &&
  !HAPPENS_TO_IT.test(answer) &&
  countWords(answer.replaceAll(HYPHEN, "")) >= MIN_ANSWER_WORDS &&
  countWords(answer) <= MAX_ANSWER_WORDS &&
  !hasSymbols(answer);

const MAX_TERM_WORDS = 7;
/** "The symbols that follow", "the letters not": the term contains a verb or a negation. */
const HAS_CLAUSE =
  /(?<!\p{L})(?:que|qui|se|ne|pas|no|não|nicht|cu[aá]l(?:es)?|quel(?:le)?s?|qual|welche\p{L}*)(?!\p{L})/iu;
const isTerm = (text: string, { notSubject }: LanguagePatterns) =>
  text !== "" &&
  countWords(text) <= MAX_TERM_WORDS &&
  !notSubject.test(text) &&
  !VAGUE_TERM.test(text) &&
  !HAS_CLAUSE.test(text);

const DEFINITE_ARTICLE = /^(?:der|die|das|le|la|les|l[’']|el|los|las|o|a|os|as)(?: |(?<=[’']))/iu;

const INDEFINITE_ARTICLE = /^(?:eine?|une?|des|una?|unos|unas|uma?|uns|umas) /iu;

/** "Außerdem" at the beginning of a sentence. There even an adverb has a capital, so it looks like a name. */
const OPENING_WORD = /^\p{Lu}\p{Ll}+$/u;

/** The names that the source sets in bold, or uses as a heading or as the label of a paragraph. */
export interface IntroducedNames {
  has: (name: string) => boolean;
}

/**
 * "The argument is …" in the middle of a paragraph: one argument that the text just mentioned, not arguments in
 * general. At the beginning of a paragraph, or for an introduced name, the term is meant in general.
 */
function isMeantInGeneral(term: string, { start }: Sentence, introduced: IntroducedNames): boolean {
  const name = term.replace(DEFINITE_ARTICLE, "");
  if (OPENING_WORD.test(term)) return introduced.has(name);
  return name === term || start === 0 || /^\P{L}*\p{L}*\p{Lu}.*\p{Lu}/u.test(name) || introduced.has(name);
}

/** The parts of a sentence "TERM is …"; empty strings for other sentences. */
function splitCopula(
  plain: string,
  { article, copula }: LanguagePatterns,
): { term: string; verb: string; rest: string } {
  const statement = new RegExp(
    `^((?:(?:${article}) ?)?[\\p{L}][\\p{L}\\p{M}’'-]+(?: [\\p{L}\\p{M}’'-]+){0,6}?) (${copula}) (.+)$`,
    "iu",
  );
  const [, term = "", verb = "", rest = ""] = statement.exec(plain) ?? [];
  return { term, verb, rest };
}

function askWhat(sentence: Sentence, patterns: LanguagePatterns, introduced: IntroducedNames): FoundDefinition[] {
  const { original, plain } = sentence;
  const { term, verb, rest } = splitCopula(plain, patterns);
  const isPlural = /^(?:sind|sont|son|são)$/i.test(verb);
  const answer = rest
    .replace(TRAILING_NOTE, "")
    .replace(patterns.secondStatement, "")
    .replace(CONSEQUENCE_CONNECTIVE, "");
  const explains = patterns.opening.test(answer) || (isPlural && RELATIVE.test(answer));
  if (!explains || !isAnswer(answer) || REMARK.test(answer)) return [];
  if (!isTerm(term, patterns) || !isMeantInGeneral(term, sentence, introduced)) return [];
  if (identifiesOnly(term, answer, introduced)) return [];
  const question = patterns.ask(lowerArticle(term, patterns.article), isPlural);
  const signs = definitionSigns({ term, answer, sentence, patterns });
  return [
    {
      style: "definition",
      question,
      answer: upperStart(answer),
      quote: original,
      phrase: bareTerm(term, patterns),
      signs,
    },
  ];
}

const bareTerm = (term: string, { article }: LanguagePatterns) =>
  term.replace(new RegExp(`^(?:${article})(?: |(?<=[’']))`, "iu"), "");

/** ", on which …", "permettant de": the answer says which one is meant. */
const IDENTIFIES =
  /, (?:(?:in|auf|mit|an|bei|zu|durch|für|von) )?(?:die|der|das|dem|den|dessen|deren|welche\p{L}*) .{12}| (?:que|qui|dont|où|donde|onde) .{12}| \p{L}+ant (?:de|d[’']|à|les?|la) /iu;

/**
 * "Another way is the command …", "the first step is the check": the answer identifies one thing without defining it.
 */
function identifiesOnly(term: string, answer: string, introduced: IntroducedNames): boolean {
  if (!DEFINITE_ARTICLE.test(answer) || IDENTIFIES.test(answer)) return false;
  if (INDEFINITE_ARTICLE.test(term)) return true;
  // "Weitere Möglichkeiten sind die Befehle …": without an article, a phrase must be an introduced name.
  return (DEFINITE_ARTICLE.test(term) || term.includes(" ")) && !introduced.has(term.replace(DEFINITE_ARTICLE, ""));
}

function definitionSigns(definition: {
  term: string;
  answer: string;
  sentence: Sentence;
  patterns: LanguagePatterns;
}): OtherSign[] {
  const { term, answer, sentence, patterns } = definition;
  const signs = sentenceSigns(sentence.original, sentence.start, patterns);
  if (DEFINITE_ARTICLE.test(term)) signs.push("subject_definite");
  if (DEFINITE_ARTICLE.test(answer)) signs.push("answer_definite");
  if (IDENTIFIES.test(answer)) signs.push("answer_relative");
  if (sentence.original.slice(0, sentence.original.indexOf(answer.slice(0, 12))).includes("("))
    signs.push("brackets_left_out");
  return signs;
}

/** The signs that any sentence can have. */
export function sentenceSigns(original: string, start: number, patterns: LanguagePatterns | undefined) {
  const signs: OtherSign[] = [];
  if (start === 0) signs.push("opens_passage");
  if (patterns?.personal.test(original) === true) signs.push("speaks_to_reader");
  return signs;
}

function askGoal({ original, plain, start }: Sentence, patterns: LanguagePatterns): FoundDefinition[] {
  const [, goal = "", answer = ""] = patterns.goal.exec(plain) ?? [];
  if (goal === "" || !isAnswer(answer)) return [];
  const question = patterns.askGoal(lowerArticle(goal, patterns.article));
  const phrase = bareTerm(
    goal.replace(/^.*? (?:de la|de|du|des|del|do|da|dos|das|der|von|einer|eines) /iu, ""),
    patterns,
  );
  const signs = sentenceSigns(original, start, patterns);
  return [{ style: "goal", question, answer: upperStart(answer), quote: original, phrase, signs }];
}

const MAX_NAME_WORDS = 4;
const MIN_CONTEXT_WORDS = 5;

/** "Est appelé pour …" has the verb of a naming, but no name after it. */
const isName = (name: string, { common }: LanguagePatterns) =>
  name !== "" && countWords(name) <= MAX_NAME_WORDS && name.split(" ")[0]?.replaceAll(common, "") !== "";

const NAME_BEFORE_COMPLEMENT =
  /^(.+?)(?= (?:de|du|des|der|do|da|del|den|von|und|et|y|e|bezeichnet|genannt)(?!\p{L})|,|$)/iu;
/** "Wird als … betrachtet": a description, not a name. */
const USE_VERB = /(?<!\p{L})(?:betrachtet|angesehen|verwendet|benutzt|definiert|gesehen)(?!\p{L})/iu;
/** "If the plane …, the circle is called": only the sentence before says which circle. */
const BARE_SUBJECT =
  /(?:^|, )(?:der|die|das|le|la|les|el|los|las|o|a|os|as) [\p{L}-]+ (?:est|sont|se|es|son|heißt|nennt|é|são)(?: \p{L}+)*$/iu;

/** "El autovector … se denomina autovector principal de la matriz": a blank for the name. */
function blankName({ original, plain, start }: Sentence, patterns: LanguagePatterns): FoundDefinition[] {
  const words = plain.split(" ");
  const nameIndex = words.findLastIndex((_, i) => patterns.naming.test(`${words.slice(0, i).join(" ")} `));
  const tail = words.slice(nameIndex).join(" ");
  const name = NAME_BEFORE_COMPLEMENT.exec(tail)?.[1] ?? "";
  const context = words.slice(0, nameIndex).join(" ");
  if (USE_VERB.test(tail) || (start !== 0 && BARE_SUBJECT.test(context))) return [];
  if (nameIndex < MIN_CONTEXT_WORDS || !isName(name, patterns) || hasSymbols(plain)) return [];
  if (countWords(plain) > MAX_ANSWER_WORDS || plain.split(name).length !== 2) return [];
  const question = upperStart(`${context} ____${tail.slice(name.length)}.`);
  return [
    {
      style: "name",
      question,
      answer: name,
      quote: original,
      phrase: name,
      signs: sentenceSigns(original, start, patterns),
    },
  ];
}

/** The definitions, names and goals that a passage gives, with questions in its language. */
export function definitionsIn(
  { text }: Passage,
  patterns: LanguagePatterns,
  introduced: IntroducedNames,
): FoundDefinition[] {
  return sentencesOf(text, patterns)
    .filter(({ plain }) => isUnderstandableAlone(plain, patterns))
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
