import type { Section } from "#shared/cards/source/sections.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { stripNumbering } from "./chapter-title.ts";

/** What stands above a part of any book says nothing about this one. */
const GENERIC =
  /^(?:(?:chapter|key|unit|section) )?(?:concepts|summary|introduction|conclusions?|ideas?|things?|parts?|examples?|numbers?|overview|review|abstract|discussion|(?:main |experimental )?results|background|contents|takeaways|objectives|(?:key )?terms|concepts and summary|questions|exercises|experiments?|evaluation|related work|setup|methods?)(?: (?:summary|questions|exercises))?$/iu;

/** Says again what the sections before have said, or asks for it. */
const REPEATS =
  /^(?:(?:chapter|key|unit|section) (?:concepts|terms)|(?:(?:chapter|key|unit|section) )?(?:summary|review|takeaways|objectives|contents|questions|exercises|glossary|q ?& ?a|concepts and summary))(?: (?:review|summary|questions|exercises|terms))?$/iu;
/** The end of a chapter, with everything under it. A "Review" or a "Summary" may begin one. */
const ENDS_CHAPTER =
  /^(?:(?:chapter|key|unit|section) (?:concepts|terms|summary|review|takeaways|questions|exercises)|glossary|q ?& ?a|(?:key )?concepts and summary)(?: (?:review|summary|questions|exercises|terms))?$/iu;

/** Boxes beside the text: "Everyday Connection: Photosynthesis at the Grocery Store", "Career Connection". */
const BESIDE_TEXT =
  /^(?:\p{L}+ connection(?=:)|career connection|link to learning|dig deeper|what do you think|clear it up|work it out|bring it home|case study|case in point|did you know|fun facts?|try it)\b\??(?::|$)/iu;
const REFERENCES = /^(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature cited)$/iu;
const LETTERED = /^[A-H](?:\.\d+)*\.?\s+\p{Lu}/u;

/** Fewer words in capitals are a heading: "CELL WALL". */
const MIN_CAPITAL_LABELS = 4;

/** The head of a table, read as a heading: "NQ TriviaQA WQ TREC". */
export function isLabelRow(title: string): boolean {
  const words = title.split(/\s+/u);
  const isMixed = /\p{Ll}/u.test(title);
  const isWord = isMixed ? /^\p{Lu}?\p{Ll}{2,}[,:;?!]?$/u : /^\p{Lu}{5,}[\p{Lu}-]*[,:;?!]?$/u;
  return words.length >= (isMixed ? 2 : MIN_CAPITAL_LABELS) && !words.some((word) => isWord.test(word));
}

export const isRepetition = (title: string): boolean => REPEATS.test(stripNumbering(title));

/** Whether a heading names what the text under it is about. */
export const namesTopic = (title: string): boolean =>
  /\p{L}{3}/u.test(title) && !isLabelRow(title) && !GENERIC.test(stripNumbering(title));

/** The sections that teach: no summary, box or exercise, and nothing of an appendix behind the references. */
export function listTaught(sections: readonly Section[], passages: readonly Passage[]): Section[] {
  const positions = new Map(passages.map(({ id }, index) => [id, index]));
  const references = passages.findLastIndex(({ kind, text }) => kind === "heading" && REFERENCES.test(text.trim()));
  const isAppendix = ({ title, passages: own }: Section) =>
    references !== -1 && (positions.get(own[0]?.id ?? "") ?? 0) > references && LETTERED.test(title);
  const firstAppendix = sections.findIndex(isAppendix);
  const body = firstAppendix === -1 ? sections : sections.slice(0, firstAppendix);
  const taught = body.filter(
    ({ title, path }) =>
      !isRepetition(title) &&
      !BESIDE_TEXT.test(title.trim()) &&
      !path.some((one) => ENDS_CHAPTER.test(stripNumbering(one))),
  );
  // A source of summaries only is still a source.
  return taught.length > 0 ? taught : [...sections];
}

const PARTS_OF_TEXT =
  /^(?:abstract|introduction|background|discussion|conclusions?|(?:main |experimental )?results|methods?)$/iu;

/** The part of any book or paper that a heading names, as a host would: "the conclusion". */
export function namePart(title: string): string | undefined {
  const plain = stripNumbering(title);
  if (/^overview$/iu.test(plain)) return "an overview";
  return PARTS_OF_TEXT.test(plain) ? `the ${plain.toLowerCase()}` : undefined;
}

export const endsPaper = (title: string): boolean =>
  /^(?:conclusions?(?: and .*)?|discussion)$/iu.test(stripNumbering(title));

/** Headings that only papers have. */
export const isPartOfPaper = (title: string): boolean =>
  /^(?:abstract|related work|materials and methods|conclusions? and future work)$/iu.test(stripNumbering(title));

/** Where a paper says how it was done, and who else has worked on it. */
const SAYS_METHODS =
  /\b(?:data ?sets?|training|implementation|set-?up|hyper-?parameters?|run-?time|proofs?|related work|notation|preliminaries|methods?|procedure|participants|limitations|ablation|baselines?|corpora|architecture|pre-?processing|selection|sampling|configuration)\b/iu;

export const saysMethods = (title: string): boolean => SAYS_METHODS.test(title);

/** Where a paper says what it found. */
const SAYS_FINDINGS =
  /^(?:abstract|introduction|conclusions?(?: and .*)?|discussion|(?:main |experimental )?results)$/iu;

export const saysFindings = (title: string): boolean => SAYS_FINDINGS.test(stripNumbering(title));
