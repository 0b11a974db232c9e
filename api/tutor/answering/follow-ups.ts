import { searchTerms } from "#shared/engine/search-terms.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { wordings } from "#shared/tutor/wordings.ts";
import type { Ground } from "./answer.ts";
import type { MessageDoc } from "../store.ts";

const MOST = 3;
const MAX_HEADING = 60;
const MAX_TERMS = 6;

/** Suggests follow-up questions from section headings that the question did not mention. */
export function proposeFollowUps(
  question: MessageDoc,
  grounds: readonly Ground[],
  citations: readonly AnswerCitation[],
): string[] {
  if (question.mode === "plan" || question.mode === "quiz" || citations.length === 0) return [];
  const asked = new Set(searchTerms(question.text));
  const headings = grounds.map(({ passage }) => passage.locator.heading?.trim() ?? "");
  const fresh = new Set(headings.filter((heading) => isNews(heading, asked)));
  return [...fresh].slice(0, MOST).map((heading) => (heading.endsWith("?") ? heading : wordings.followUp(heading)));
}

function isNews(heading: string, asked: ReadonlySet<string>): boolean {
  const terms = searchTerms(heading);
  if (heading.length > MAX_HEADING || !/^\p{L}/u.test(heading) || terms.length > MAX_TERMS) return false;
  return terms.some((term) => !asked.has(term));
}
