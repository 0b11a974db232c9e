import { isUnlimited, limitsOf, remaining } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { completeFrom } from "#shared/engine/completing.ts";
import { t } from "#shared/messages/translate.ts";
import { isWorthCompleting, joinCompletion, MAX_COMPLETION_WORDS, trimCompletion } from "#shared/pages/completion.ts";
import type { pages } from "#shared/pages/contract.ts";
import { completionPrompt } from "#api/ai/prompts/completion.ts";
import type { Model } from "#api/ai/port.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { openSources } from "#api/library/service.ts";
import { countUsage, preferencesOf, readUsage } from "#api/user/service.ts";
import { findPage } from "./store.ts";

interface Asked {
  pageId: string;
  componentId: string;
  before: string;
  after: string;
}

/** A page that takes longer to index is available for the next completion. */
const PATIENCE_MS = 1000;
const PASSAGES = 24;
/** How much of the text the model sees before and after the cursor. */
const BEFORE_CHARS = 3000;
const AFTER_CHARS = 600;
const TOKENS_A_WORD = 3;

const lineOf = (before: string) => before.slice(before.lastIndexOf("\n") + 1);

/** Words left of today's quota; throws if there are none. */
async function wordsLeft(ctx: UserCtx): Promise<number> {
  const limits = limitsOf(ctx.caller.plan, ctx.clock.now());
  if (isUnlimited("autocompleteWords", limits.autocompleteWords)) return Number.POSITIVE_INFINITY;
  const left = remaining("autocompleteWords", limits, await readUsage(ctx));
  if (left > 0) return left;
  throw new Failure(
    "limit_reached",
    "usage_limit",
    {},
    {
      limit: "autocompleteWords",
      most: limits.autocompleteWords,
    },
  );
}

/** Completes from the student's own pages, word for word, excluding the current text. */
async function findOwnWords(ctx: UserCtx, { componentId, before }: Asked): Promise<string | undefined> {
  const { sources } = await openSources(ctx, undefined, PATIENCE_MS);
  const sourceIds = [...sources.values()].filter(({ kind }) => kind === "page").map(({ id }) => id);
  if (sourceIds.length === 0) return undefined;
  const line = lineOf(before);
  const hits = await ctx.index.search(ctx.own.ownerId, { text: line.slice(-200), limit: PASSAGES, sourceIds });
  const texts = hits.filter(({ passage }) => passage.componentId !== componentId).map(({ passage }) => passage.text);
  return completeFrom(line, texts);
}

/** Streams the model's completion once its beginning differs from a repetition of the current line. */
async function* writeOn(ctx: UserCtx, talk: NonNullable<Model["talk"]>, asked: Asked, mostWords: number) {
  const { text_completion_custom_instructions: instructions } = (await preferencesOf(ctx.own)).features;
  const before = asked.before.slice(-BEFORE_CHARS);
  const title = (await findPage(ctx.own, asked.pageId))?.title ?? "";
  const after = asked.after.slice(0, AFTER_CHARS);
  const { system, user } = completionPrompt({ title, before, after, instructions, maxWords: mostWords });
  const turns = [{ role: "user" as const, text: user }];
  const maxTokens = mostWords * TOKENS_A_WORD;
  let written = "";
  let sent = "";
  for await (const piece of talk({ system, turns, maxTokens, ownerId: ctx.caller.userId, signal: ctx.signal })) {
    written = (written + piece).replace(/^[\r\n]+/, "");
    if (lineOf(before).trim().startsWith(written.trim())) continue;
    const joined = joinCompletion(before, written);
    const text = trimCompletion(joined, mostWords);
    const isOver = text.length < joined.trimEnd().length;
    if (text.startsWith(sent) && text.length > sent.length) yield text.slice(sent.length);
    if (text.startsWith(sent)) sent = text;
    if (isOver) return;
  }
}

export const completionHandlers: Pick<Handlers<typeof pages>, "completeText" | "countCompletedWords"> = {
  async *completeText(ctx, asked) {
    const mostWords = Math.min(await wordsLeft(ctx), MAX_COMPLETION_WORDS);
    const { text_completion_enabled: isWanted } = (await preferencesOf(ctx.own)).features;
    const model = await ctx.models.choose();
    const engine = model?.info.name ?? "";
    if (isWanted && isWorthCompleting(lineOf(asked.before))) {
      // Bound, because the method may use the model's own state.
      const talk = model?.talk?.bind(model);
      if (talk) for await (const text of writeOn(ctx, talk, asked, mostWords)) yield { type: "text", text };
      else {
        const found = await findOwnWords(ctx, asked);
        const text = found === undefined ? "" : trimCompletion(found, mostWords);
        if (text !== "") yield { type: "text", text };
      }
    }
    yield { type: "end", engine };
  },

  /** The words are already in the text, so they are counted even above the limit. */
  async countCompletedWords(ctx, { wordCount }) {
    await countUsage(ctx, "autocompleteWords", wordCount, Number.POSITIVE_INFINITY);
    return { usage: await readUsage(ctx) };
  },
};
