import { searchTerms } from "#shared/text/search-terms.ts";

interface Purpose {
  question: RegExp;
  heading: RegExp;
}

/** What to do. */
const ADVICE: Purpose = {
  question:
    /(?<!\p{L})(?:should|recommend\w*|advice|tips|best way|how (?:can|could|do) (?:i|we|you)|how to)(?!\p{L})/iu,
  heading: /(?<!\p{L})(?:how to|strateg(?:y|ies)|tips|techniques?|methods?|ways|recommendations?|advice)(?!\p{L})/iu,
};

/** What a question wants to know about its subject, and how headings name that. */
const PURPOSES: readonly Purpose[] = [
  ADVICE,
  {
    question: /(?<!\p{L})(?:why|causes?|caused|reasons?|warum|wieso|weshalb|ursachen?)(?!\p{L})/iu,
    heading:
      /(?<!\p{L})(?:why|causes?|reasons?|origins?|explanations?|functions?|purposes?|warum|ursachen?|gründe)(?!\p{L})/iu,
  },
  {
    question: /(?<!\p{L})(?:effects?|consequences?|impacts?|outcomes?|folgen|auswirkungen)(?!\p{L})/iu,
    heading:
      /(?<!\p{L})(?:effects?|consequences?|impacts?|outcomes?|aftermath|results?|folgen|auswirkungen)(?!\p{L})/iu,
  },
  {
    question:
      /(?<!\p{L})(?:history|histor\w+|timeline|chang\w+ (?:since|over|between|from)|over time|geschichte|verlauf)(?!\p{L})|(?<!\p{L})(?:changed|developed|evolved)[^?]* (?:since|over|between|during) /iu,
    heading: /(?<!\p{L})(?:histor\w+|trends?|timeline|over time|developments?|geschichte|verlauf)(?!\p{L})/iu,
  },
  {
    question:
      /(?<!\p{L})(?:how|wie)(?!\p{L})[^?]*(?<!\p{L})(?:works?|functions?|operates?|funktionier\w*|arbeite\w*)(?!\p{L})/iu,
    heading: /(?<!\p{L})(?:how[^?]* works?|mechanisms?|funktionsweise|mechanismus)(?!\p{L})/iu,
  },
];

/** The words that only state the purpose of a question, which a heading that names it replaces. */
const PURPOSE_TERMS = new Set(
  searchTerms(
    "cause reason effect consequence impact outcome history timeline change develop evolve work function operate technique method strategy ursache folge geschichte",
  ),
);

export const isPurposeTerm = (term: string): boolean => PURPOSE_TERMS.has(term);

/** Whether the heading of a section says that it contains what a question wants to know: "Causes of the Crash". */
export function matchesPurpose(question: string, heading: string): boolean {
  const purpose = PURPOSES.find((one) => one.question.test(question));
  return purpose?.heading.test(heading) === true;
}

/** Whether a question asks what to do, so that sentences that address the reader answer it. */
export const asksForAdvice = (question: string): boolean => ADVICE.question.test(question);
