import type { Section } from "#shared/cards/source/sections.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { stripNumbering } from "./chapter-title.ts";

/** Headings that any book may have, such as "Introduction". */
const GENERIC_HEADING =
  /^(?:(?:chapter|key|unit|section) )?(?:concepts|summary|introduction|conclusions?|ideas?|things?|parts?|examples?|numbers?|overview|review|abstract|discussion|(?:main |experimental )?results|background|contents|takeaways|objectives|(?:key )?terms|concepts and summary|questions|exercises|experiments?|evaluation|related work|setup|methods?)(?: (?:summary|questions|exercises))?$/iu;

/** Headings of sections that repeat earlier ones or ask about them. */
const REPETITION_HEADING =
  /^(?:(?:chapter|key|unit|section) (?:concepts|terms)|(?:(?:chapter|key|unit|section) )?(?:summary|review|takeaways|objectives|contents|questions|exercises|glossary|q ?& ?a|concepts and summary))(?: (?:review|summary|questions|exercises|terms))?$/iu;
/**
 * Headings at the end of a chapter; everything under them is left out. A "Review" or a "Summary" may also begin a
 * chapter.
 */
const CHAPTER_END_HEADING =
  /^(?:(?:chapter|key|unit|section) (?:concepts|terms|summary|review|takeaways|questions|exercises)|glossary|q ?& ?a|(?:key )?concepts and summary)(?: (?:review|summary|questions|exercises|terms))?$/iu;

/** Boxes beside the text: "Everyday Connection: Photosynthesis at the Grocery Store", "Career Connection". */
const BOX_HEADING =
  /^(?:\p{L}+ connection(?=:)|career connection|link to learning|dig deeper|what do you think|clear it up|work it out|bring it home|case study|case in point|did you know|fun facts?|try it)\b\??(?::|$)/iu;
const REFERENCES_HEADING = /^(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature cited)$/iu;
const APPENDIX_HEADING = /^[A-H](?:\.\d+)*\.?\s+\p{Lu}/u;

/** A heading may have fewer words in capitals than this: "CELL WALL". */
const MIN_CAPITAL_LABELS = 4;

/** Whether a heading is really a row of table headers: "NQ TriviaQA WQ TREC". */
export function isLabelRow(title: string): boolean {
  const words = title.split(/\s+/u);
  const isMixed = /\p{Ll}/u.test(title);
  const isWord = isMixed ? /^\p{Lu}?\p{Ll}{2,}[,:;?!]?$/u : /^\p{Lu}{5,}[\p{Lu}-]*[,:;?!]?$/u;
  return words.length >= (isMixed ? 2 : MIN_CAPITAL_LABELS) && !words.some((word) => isWord.test(word));
}

export const isRepetition = (title: string): boolean => REPETITION_HEADING.test(stripNumbering(title));

/** "February 10, 2023", "Aghion et al. (2013)", "Bai and Perron (2003)": a date or a work, but no topic. */
const DATE_OR_WORK =
  /^(?:\p{Lu}\p{Ll}+ \d{1,2},? \d{4}|\d{1,2} \p{Lu}\p{Ll}+ \d{4})$|\bet al\b|\p{Lu}[\p{L}’-]+ (?:and|&) \p{Lu}[\p{L}’-]+ \((?:1[5-9]|20)\d\d[a-z]?\)/u;

export const isDateOrWork = (title: string): boolean => DATE_OR_WORK.test(title.trim());

/** Whether a heading names what the text under it is about. */
export const namesTopic = (title: string): boolean =>
  /\p{L}{3}/u.test(title) && !isDateOrWork(title) && !isLabelRow(title) && !GENERIC_HEADING.test(stripNumbering(title));

/** The sections that teach: without summaries, boxes and exercises, and without appendices after the references. */
export function listContentSections(sections: readonly Section[], passages: readonly Passage[]): Section[] {
  const positions = new Map(passages.map(({ id }, index) => [id, index]));
  const references = passages.findLastIndex(
    ({ kind, text }) => kind === "heading" && REFERENCES_HEADING.test(text.trim()),
  );
  const isAppendix = ({ title, passages: own }: Section) =>
    references !== -1 && (positions.get(own[0]?.id ?? "") ?? 0) > references && APPENDIX_HEADING.test(title);
  const firstAppendix = sections.findIndex(isAppendix);
  const body = firstAppendix === -1 ? sections : sections.slice(0, firstAppendix);
  const taught = body.filter(
    ({ title, path }) =>
      !isRepetition(title) &&
      !BOX_HEADING.test(title.trim()) &&
      !path.some((one) => CHAPTER_END_HEADING.test(stripNumbering(one))),
  );
  // A source that consists only of summaries is used as it is.
  return taught.length > 0 ? taught : [...sections];
}

const PART_HEADING =
  /^(?:abstract|introduction|background|discussion|conclusions?|(?:main |experimental )?results|methods?)$/iu;

/** The spoken name of a part that every book or paper may have: "the conclusion". */
export function namePart(title: string): string | undefined {
  const plain = stripNumbering(title);
  if (/^overview$/iu.test(plain)) return "an overview";
  return PART_HEADING.test(plain) ? `the ${plain.toLowerCase()}` : undefined;
}

export const endsPaper = (title: string): boolean =>
  /^(?:conclusions?(?: and .*)?|discussion)$/iu.test(stripNumbering(title));

/** Headings that only occur in papers. */
export const isPartOfPaper = (title: string): boolean =>
  /^(?:abstract|related work|materials and methods|conclusions? and future work)$/iu.test(stripNumbering(title));

/** The sections of a paper on its methods and on related work. */
const METHODS_HEADING =
  /\b(?:data ?sets?|training|implementation|software|packages?|interfaces?|computational details|set-?up|hyper-?parameters?|run-?time|proofs?|related work|notation|preliminaries|methods?|procedure|participants|limitations|ablation|baselines?|corpora|architecture|pre-?processing|selection|sampling|configuration)\b/iu;

export const isMethodsHeading = (title: string): boolean => METHODS_HEADING.test(title);

/** The sections of a paper on its findings. */
const FINDINGS_HEADING =
  /^(?:abstract|introduction|conclusions?(?: and .*)?|discussion|(?:main |experimental )?results)$/iu;

export const isFindingsHeading = (title: string): boolean => FINDINGS_HEADING.test(stripNumbering(title));
