import { searchTerms } from "#shared/text/search-terms.ts";

/** "UGA", "CD4", "MHC-II": at least two characters, none of them a lower-case letter. */
const CODE = /(?<![\p{L}\p{N}])\p{Lu}(?:[\p{Lu}\p{N}]|-(?=[\p{Lu}\p{N}]))+(?![\p{L}\p{N}])/gu;

/** The terms of a question that are codes, which have no synonyms. Empty if the whole question is in capitals. */
export function codesOf(question: string): string[] {
  if (!/\p{Ll}/u.test(question)) return [];
  return searchTerms((question.match(CODE) ?? []).join(" "));
}
