import type { Language } from "#shared/messages/language.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { questionLanguage, researchWording } from "../wording.ts";
import { completeFollowUp, needsContext } from "./complete-follow-up.ts";
import { describeQuestion, isQuestion, joinAnswer, refersBack } from "./title.ts";

interface PlanMessage {
  role: "user" | "assistant";
  text: string;
}

interface ResearchPlan {
  result: "clarification" | "done";
  message: string;
  shortDescription: string;
}

/** What has to be asked back, by rule; undefined if the question can be researched as it is. */
function clarificationOf(question: string, earlier: string | undefined, language: Language): string | undefined {
  const wording = researchWording[questionLanguage(question, language)];
  const terms = searchTerms(contentQuery(question));
  if (earlier !== undefined && needsContext(question)) return wording.clarifyReference;
  if (terms.length === 0) return wording.clarifyEmpty;
  if (earlier === undefined && terms.length < 3 && refersBack(question)) return wording.clarifyReference;
  const isBareTopic = terms.length < 2 && !isQuestion(question);
  return isBareTopic ? wording.clarifyTopic(question.trim()) : undefined;
}

/**
 * Asks back at most once, and only where the question has no topic, points at something unnamed, or is a bare word.
 * Afterwards the answer joins the question. A question that says nothing by itself gets the subject of the `earlier` one
 * of its session.
 */
export function planResearch(
  messages: readonly PlanMessage[],
  { earlier, language }: { earlier: string | undefined; language: Language },
): ResearchPlan {
  const own = messages.filter(({ role }) => role === "user").map(({ text }) => text.trim());
  const [question = "", ...answers] = own;
  const wasAsked = messages.some(({ role }) => role === "assistant");
  const completed =
    !wasAsked && earlier !== undefined && needsContext(question) ? completeFollowUp(question, earlier) : undefined;
  if (completed !== undefined)
    return { result: "done", message: completed, shortDescription: describeQuestion(completed) };
  const clarification = wasAsked ? undefined : clarificationOf(question, earlier, language);
  if (clarification !== undefined)
    return { result: "clarification", message: clarification, shortDescription: describeQuestion(question) };
  const message = answers.length === 0 ? question : joinAnswer(question, answers.join(" "));
  return { result: "done", message, shortDescription: describeQuestion(message) };
}
