import { searchTerms } from "#shared/text/search-terms.ts";

/** "UGA", "CD4", "MHC-II": two characters at least, no small letter among them. */
const CODE = /(?<![\p{L}\p{N}])\p{Lu}(?:[\p{Lu}\p{N}]|-(?=[\p{Lu}\p{N}]))+(?![\p{L}\p{N}])/gu;

/** The terms of a question that are codes: no other word stands for them. None where all of it is in capitals. */
export function codesOf(question: string): string[] {
  if (!/\p{Ll}/u.test(question)) return [];
  return searchTerms((question.match(CODE) ?? []).join(" "));
}
