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

/** The question to ask back, by rule; undefined if the question can be researched as it is. */
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
 * Plans a question by rule. Asks back at most once: if the question has no topic, refers to something unnamed, or is a
 * single word. The student's reply is then joined with the question. A question without a subject of its own gets that
 * of the session's `earlier` question.
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
