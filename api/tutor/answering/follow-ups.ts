import { isStandardHeading } from "#shared/cards/features/topics.ts";
import { isBackMatter } from "#shared/cards/source/sections.ts";
import { headingWriter } from "#shared/text/capitals.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { AnswerCitation, MessagePart } from "#shared/tutor/schema.ts";
import { plainPhrase } from "#shared/tutor/phrases.ts";
import type { RetrievedPassage } from "./answer-builder.ts";
import type { MessageDoc } from "../store.ts";

const MAX_FOLLOW_UPS = 3;
const MAX_HEADING = 60;
const MAX_TERMS = 6;

/** Suggests follow-up questions from section headings that the question did not mention. */
export function proposeFollowUps(
  question: MessageDoc,
  hits: readonly RetrievedPassage[],
  citations: readonly AnswerCitation[],
): MessagePart[] {
  if (question.mode === "plan" || question.mode === "quiz" || citations.length === 0) return [];
  const questionTerms = new Set(searchTerms(question.text));
  const writeHeading = headingWriter(hits.map(({ passage }) => passage));
  const headings = hits.map(({ passage }) => writeHeading(passage.locator.heading?.trim() ?? ""));
  const newHeadings = new Set(headings.filter((heading) => isNewHeading(heading, questionTerms)));
  return [...newHeadings]
    .slice(0, MAX_FOLLOW_UPS)
    .map((heading) =>
      heading.endsWith("?") ? { type: "text", text: heading } : plainPhrase("follow_up", { heading }),
    );
}

function isNewHeading(heading: string, questionTerms: ReadonlySet<string>): boolean {
  const terms = searchTerms(heading);
  if (heading.length > MAX_HEADING || !/^\p{L}/u.test(heading) || terms.length > MAX_TERMS) return false;
  return !isStandardHeading(heading) && !isBackMatter(heading) && terms.some((term) => !questionTerms.has(term));
}
