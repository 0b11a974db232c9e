import { isUnlimited, limitsOf, remainingToday } from "#shared/billing/rules.ts";
import type { Sums } from "#shared/admin/figures.ts";
import { Failure } from "#shared/contract/failure.ts";
import { completeFromTexts } from "#shared/pages/text-completion.ts";
import {
  canComplete,
  countWords,
  joinCompletion,
  MAX_COMPLETION_WORDS,
  trimCompletion,
} from "#shared/pages/completion.ts";
import type { pages } from "#shared/pages/contract.ts";
import { buildCompletionPrompt } from "#api/ai/prompts/completion.ts";
import type { Model } from "#api/ai/port.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { addToFigure, dayOf } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { countUsage, getPreferences, readUsage } from "#api/user/service.ts";
import { findPage } from "./store.ts";

interface CompletionRequest {
  pageId: string;
  componentId: string;
  before: string;
  after: string;
}

const PASSAGE_LIMIT = 24;
/** How much of the text the model sees before and after the cursor. */
const BEFORE_CHARS = 3000;
const AFTER_CHARS = 600;
const TOKENS_PER_WORD = 3;

const currentLine = (before: string) => before.slice(before.lastIndexOf("\n") + 1);

/** Words left in today's quota; throws if no words are left. */
async function requireWordsLeft(ctx: UserCtx): Promise<number> {
  const limits = limitsOf(ctx.caller.plan, ctx.clock.now());
  if (isUnlimited("autocompleteWords", limits.autocompleteWords)) return Number.POSITIVE_INFINITY;
  const left = remainingToday("autocompleteWords", limits, await readUsage(ctx));
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

/** The best passages of the student's own pages for a text; passed in because the library uses this feature. */
type SearchOwnPages = (ctx: UserCtx, text: string, limit: number) => Promise<{ text: string; componentId: string }[]>;

/** Completes from the student's own pages, word for word, excluding the current text. */
async function completeFromPages(
  ctx: UserCtx,
  { componentId, before }: CompletionRequest,
  searchOwnPages: SearchOwnPages,
): Promise<string | undefined> {
  const line = currentLine(before);
  const found = await searchOwnPages(ctx, line.slice(-200), PASSAGE_LIMIT);
  const texts = found.filter((passage) => passage.componentId !== componentId).map(({ text }) => text);
  return completeFromTexts(line, texts);
}

/** Streams the model's completion, starting when it differs from a repetition of the current line. */
async function* completeWithModel(
  ctx: UserCtx,
  chat: NonNullable<Model["chat"]>,
  request: CompletionRequest,
  maxWords: number,
) {
  const { text_completion_custom_instructions: instructions } = (await getPreferences(ctx.own)).features;
  const before = request.before.slice(-BEFORE_CHARS);
  const title = (await findPage(ctx.own, request.pageId))?.title ?? "";
  const after = request.after.slice(0, AFTER_CHARS);
  const { system, user } = buildCompletionPrompt({ title, before, after, instructions, maxWords });
  const turns = [{ role: "user" as const, text: user }];
  const maxTokens = maxWords * TOKENS_PER_WORD;
  let written = "";
  let sent = "";
  for await (const piece of chat({ system, turns, maxTokens, ownerId: ctx.caller.userId, signal: ctx.signal })) {
    written = (written + piece).replace(/^[\r\n]+/, "");
    if (currentLine(before).trim().startsWith(written.trim())) continue;
    const joined = joinCompletion(before, written);
    const text = trimCompletion(joined, maxWords);
    const isCut = text.length < joined.trimEnd().length;
    if (text.startsWith(sent) && text.length > sent.length) yield text.slice(sent.length);
    if (text.startsWith(sent)) sent = text;
    if (isCut) return;
  }
}

async function* completeOnce(
  ctx: UserCtx,
  request: CompletionRequest,
  searchOwnPages: SearchOwnPages,
  maxWords: number,
): AsyncGenerator<string> {
  const found = await completeFromPages(ctx, request, searchOwnPages);
  const text = found === undefined ? "" : trimCompletion(found, maxWords);
  if (text !== "") yield text;
}

/** Adds offered or accepted words to the figures. */
async function countCompletion({ own, clock }: UserCtx, model: Model | undefined, sums: Sums): Promise<void> {
  const now = clock.now();
  const dims = { model: model?.info.id ?? "none", version: programVersion };
  const id = `${dayOf(now)}:${encodeURIComponent(dims.model)}`;
  await addToFigure(own, { figure: "completions", id, at: now, dims, sums });
}

export const createCompletionHandlers = (
  searchOwnPages: SearchOwnPages,
): Pick<Handlers<typeof pages>, "completeText" | "countCompletedWords"> => ({
  async *completeText(ctx, request) {
    const maxWords = Math.min(await requireWordsLeft(ctx), MAX_COMPLETION_WORDS);
    const { text_completion_enabled: isEnabled } = (await getPreferences(ctx.own)).features;
    const model = await ctx.models.choose();
    const engine = model?.info.name ?? "";
    if (isEnabled && canComplete(currentLine(request.before))) {
      // Bound, because the method may use the model's own state.
      const chat = model?.chat?.bind(model);
      const pieces = chat
        ? completeWithModel(ctx, chat, request, maxWords)
        : completeOnce(ctx, request, searchOwnPages, maxWords);
      let offered = "";
      for await (const text of pieces) {
        offered += text;
        yield { type: "text", text };
      }
      if (offered !== "") await countCompletion(ctx, model, { offered: 1, offeredWords: countWords(offered) });
    }
    yield { type: "end", engine };
  },

  /** The words are already in the text, so they are counted even above the limit. */
  async countCompletedWords(ctx, { wordCount }) {
    await countUsage(ctx, "autocompleteWords", wordCount, Number.POSITIVE_INFINITY);
    await countCompletion(ctx, await ctx.models.choose(), { takenWords: wordCount });
    return { usage: await readUsage(ctx) };
  },
});
