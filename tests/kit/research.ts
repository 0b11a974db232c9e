import { ulid } from "ulid";
import type { Input } from "#shared/contract/endpoint.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import type { research } from "#shared/research/contract.ts";
import type { ResearchEvent, ResearchSession } from "#shared/research/schema.ts";
import type { V1Client } from "./api.ts";

type Question = Partial<Input<typeof research.sendResearch>>;

export const aResearchQuestion = (more: Question = {}) => ({
  userMessage: "What does the ribosome read?",
  conversationId: null,
  depthState: "quick" as const,
  messageId: ulid(),
  lookIn: ["library" as const],
  ...more,
});

/** Sends a question and follows it to its end. */
export async function runResearch(
  client: V1Client,
  question: Question = {},
): Promise<{ events: ResearchEvent[]; session: ResearchSession }> {
  const events: ResearchEvent[] = [];
  for await (const event of client.research.sendResearch(aResearchQuestion(question))) events.push(event);
  const first = events.find((event) => event.type === "conversation_id");
  if (first?.type !== "conversation_id") throw new Error("the stream named no conversation");
  const { conversation } = await client.research.getConversation({ id: first.conversationId });
  return { events, session: conversation };
}

/** Sentences whose quote is not in the stored snapshot, compared as plain text, without the product's own check. */
export async function findUnsupported(client: V1Client, session: ResearchSession): Promise<string[]> {
  const wrong: string[] = [];
  for (const sentence of sentencesOf(session.sections)) {
    if (sentence.cites.length === 0) wrong.push(sentence.text);
    for (const n of sentence.cites) {
      const citation = session.citations.find((one) => one.n === n);
      if (!citation) {
        wrong.push(sentence.text);
        continue;
      }
      const { passages } = await client.research.readSnapshot({ id: session._id, n: citation.source });
      if (!passages.some(({ id, text }) => id === citation.passageId && text.includes(citation.quote)))
        wrong.push(sentence.text);
    }
  }
  return wrong;
}
