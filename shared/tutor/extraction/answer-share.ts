import { searchTerms } from "#shared/text/search-terms.ts";

/** The share of the expected answer's terms in a student's answer; 0 if a number is missing. */
export function answerShare(studentAnswer: string, expected: string): number {
  const expectedWords = [...new Set(searchTerms(expected))];
  const studentWords = new Set(searchTerms(studentAnswer));
  if (expectedWords.length === 0) return studentAnswer.trim().toLowerCase() === expected.trim().toLowerCase() ? 1 : 0;
  if (expectedWords.some((term) => /^\d+$/.test(term) && !studentWords.has(term))) return 0;
  return expectedWords.filter((term) => studentWords.has(term)).length / expectedWords.length;
}
