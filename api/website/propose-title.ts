import { writeTitle } from "#api/ai/openai/write-objects.ts";
import { buildTitlePrompt } from "#api/ai/prompts/tutor.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { WebsitePart } from "#shared/website/message-parts.ts";

const MAX_TITLE = 60;
const MAX_TOKENS = 60;

interface MessageWithParts {
  role: "user" | "assistant";
  parts: readonly WebsitePart[];
}

export const textOf = ({ parts }: Pick<MessageWithParts, "parts">): string =>
  parts
    .flatMap((part) => (part.type === "text" ? [part.metadata.text] : []))
    .join(" ")
    .trim();

/** The first words of the first request; cut at a word. */
function titleFromWords(messages: readonly MessageWithParts[]): string {
  const request = messages.find(({ role, parts }) => role === "user" && textOf({ parts }) !== "");
  const words = (request ? textOf(request) : "")
    .replaceAll(/\s+/g, " ")
    .replace(/^(?:please|can you|could you|bitte|kannst du)\s+/i, "")
    .replace(/^(?:make|build|create|mach|erstelle|baue)\s+(?:me\s+|mir\s+)?(?:an?\s+|eine?n?\s+)?/i, "");
  const short = words.length <= MAX_TITLE ? words : words.slice(0, words.lastIndexOf(" ", MAX_TITLE) + 1 || MAX_TITLE);
  const title = short.replace(/[\s.,:;!?]+$/, "");
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}

/** A short title for messages: proposed by the model if there is one, otherwise the first words of the request. */
export async function proposeTitle(ctx: UserCtx, messages: readonly MessageWithParts[]): Promise<string> {
  const fallback = titleFromWords(messages);
  const model = await ctx.models.choose();
  if (!model?.chat) return fallback;
  const prompt = buildTitlePrompt(messages.slice(0, 4).map((message) => textOf(message)));
  const request = { ...prompt, maxTokens: MAX_TOKENS, ownerId: ctx.caller.userId, signal: ctx.signal };
  return (await writeTitle(model, request).catch(() => undefined)) ?? fallback;
}
