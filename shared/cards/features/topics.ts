import type { Candidate } from "../generate/candidates.ts";
import { upperFirst } from "../source/lexicon.ts";
import { matchesInitials } from "../gates/rejection-rules.ts";
import type { Section } from "../source/sections.ts";
import { isGeneralWord, type TermIndex } from "../source/terms.ts";
import { contentStems, phraseKey, wordsOf } from "#shared/text/words.ts";

const MAX_WORDS = 5;
/** A heading repeated this often, such as "Practice tips", names no topic. */
const MIN_REPETITIONS = 3;

const HEADING_NUMBER =
  /^(?:\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[IVX]{1,5})[.)]\s+|\d+(?:\.\d+)*\s+|[A-Z](?:\.\d+)+\.?\s+|(?:chapter|lecture|unit|lesson|week|part|stage|step) [\dIVX]+\s*[:.–—-]?\s*)+/iu;
const HEADING_OPENING =
  /^(?:(?:an? )?(?:introduction to|overview of|background on|understanding|summary of|more on|basics of|notes on)|(?:the )?(?:importance|role|products?|outcomes?|steps|stages|types|classes|characteristics|structure|functions?|classifications?|branches|themes and concepts) (?:of|in)) (?:the )?/i;
/** A heading that is a question, a sentence or a formula names no topic. */
const UNUSABLE_TOPIC =
  /[?!=<>[\]{}∑|…]|\b(?:1[89]|20)\d\d\b|\b(?:is|are|was|were|do|does|how|what|why|when|where|versus|vs)\b|["“”]|\.\.\.|\bcheat ?sheets?\b|\bhand(?:out|book)s?\b|\b(?:manual|tutorial|slides|lecture|workshop|notes|applications|illustrations)\b/iu;
const STANDARD_HEADING =
  /^(?:abstract|introduction|preface|summary|overview|conclusions?(?: and .*)?|discussion|results?|methods?|tl;dr|evaluation|related work|notes?|outline|general|appendix|background|practice tips|miscellaneous|other)$/i;
/** Whether a heading names a part that most texts have, such as "Summary", instead of a topic. */
export const isStandardHeading = (heading: string): boolean => STANDARD_HEADING.test(heading);

/** "SURETY BONDS" becomes "Surety bonds"; "ATP" alone is an abbreviation. */
const lowerCapitals = (title: string) =>
  /\p{Ll}/u.test(title) || title.length < 6 ? title : title.charAt(0) + title.slice(1).toLowerCase();

/** The names in a heading, without its number and additions: "6.2 Overview of ATP (adenosine …)" gives "ATP". */
function namesOf(heading: string): string[] {
  const line = heading
    .replace(/\s+/g, " ")
    .trim()
    .replace(HEADING_NUMBER, "")
    .replace(/\s*\([^)]*\)/g, "");
  return line
    .split(/\s*[:–—]\s*/u)
    .flatMap((part) => nameOf(part.replace(HEADING_OPENING, "").replace(/[\s.,;-]+$/, "")) ?? []);
}

function nameOf(bare: string): string | undefined {
  const words = wordsOf(bare).length;
  if (words === 0 || words > MAX_WORDS || UNUSABLE_TOPIC.test(bare) || isStandardHeading(bare)) return undefined;
  return contentStems(bare).every(isGeneralWord) ? undefined : lowerCapitals(upperFirst(bare));
}

const addsInformation = (name: string) => contentStems(name).filter((stem) => !isGeneralWord(stem)).length > 1;

/** Topics from a source's headings, for questions that aren't clear without their context. */
export class Topics {
  readonly #headingCounts = new Map<string, number>();
  readonly #terms: TermIndex;
  readonly #names: ReadonlySet<string>;

  constructor(sections: readonly Section[], terms: TermIndex) {
    this.#terms = terms;
    this.#names = new Set(sections.flatMap(({ path }) => path.flatMap(namesOf)));
    const seen = new Set<string>();
    for (const { path } of sections) {
      if (seen.has(path.join("\n"))) continue;
      seen.add(path.join("\n"));
      const key = phraseKey(path.at(-1) ?? "");
      this.#headingCounts.set(key, (this.#headingCounts.get(key) ?? 0) + 1);
    }
  }

  /** The prefix "Zygomycota: " from the nearest heading that adds something to the question, or "". */
  prefixFor({ style, question, answer }: Candidate, path: readonly string[]): string {
    if (style === "definition" || style === "cell" || style === "formula") return "";
    // A question with one emphasised term needs only its section as context. With two terms it needs no context.
    const named = this.#terms.findIn(question).filter(({ isMarked }) => isMarked).length;
    if (named > (style === "term" ? 0 : 1)) return "";
    const contentWords = new Set(contentStems(`${question} ${answer}`));
    for (let depth = path.length - 1; depth >= Math.min(named, path.length - 1); depth--) {
      const name = this.#nameAt(path, depth);
      if (
        name !== undefined &&
        !matchesInitials(name, answer) &&
        !contentStems(name).some((stem) => !isGeneralWord(stem) && contentWords.has(stem))
      )
        return `${name}: `;
    }
    return "";
  }

  /** "Purpose and frequency" names no topic, even if "frequency" is a term of the source. */
  #containsTerm(name: string): boolean {
    return this.#terms.findIn(name).length > 0 && (addsInformation(name) || !contentStems(name).some(isGeneralWord));
  }

  /** The question without its topic prefix. */
  withoutPrefix(question: string): string {
    const [, name = "", questionText = question] = /^([^:?]{2,60}): (.+)$/su.exec(question) ?? [];
    return this.#names.has(name) ? questionText : question;
  }

  #nameAt(path: readonly string[], depth: number): string | undefined {
    const heading = path[depth] ?? "";
    if ((this.#headingCounts.get(phraseKey(heading)) ?? 0) >= MIN_REPETITIONS) return undefined;
    const names = namesOf(heading);
    // "Super cheatsheet: machine learning": the part that names a term of the source.
    const name = names.find((candidate) => this.#containsTerm(candidate)) ?? names.find(addsInformation);
    // "Growth" alone needs the heading above it.
    const isSingleWord =
      name !== undefined && wordsOf(name).length === 1 && depth > 0 && !this.#terms.get(name)?.isMarked;
    return isSingleWord ? undefined : name;
  }
}
