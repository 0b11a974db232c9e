import type { ConversationDetails, lists, Opened } from "#shared/admin/lists-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type PromptDoc, prompts } from "#api/ai/prompt-log.ts";
import { type RatingDoc, ratings } from "#api/feedback/ratings.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { recordLook, recordRatingLooks } from "./looks.ts";
import { PAGE_SIZE, toPage } from "../paging.ts";

interface ListPosition {
  after: string | undefined;
  limit: number;
}

/** Ratings whose student chose to share the text, by their position in the list. */
export const findShared = (
  store: DocumentStore,
  kind: RatingDoc["kind"],
  { after, limit }: ListPosition,
): Promise<RatingDoc[]> =>
  store
    .collection(ratings)
    .find(
      { kind, text: { gt: "" }, ...(after !== undefined && { key: { lt: after } }) },
      { order: [["key", "desc"]], limit },
    );

/** Entries of the log of prompts, without their words. */
export const findLogged = (store: DocumentStore, { after, limit }: ListPosition) =>
  store.collection(prompts).find(after === undefined ? {} : { _id: { lt: after } }, {
    order: [["_id", "desc"]],
    limit,
    fields: ["at", "model"],
  });

const openedRating = ({ _id, createdAt, model, value }: RatingDoc): Opened => ({
  _id: `shared:${_id}`,
  at: createdAt,
  model,
  thumb: value,
});

const openedPrompt = ({ _id, at, model }: Pick<PromptDoc, "_id" | "at" | "model">): Opened => ({
  _id: `logged:${_id}`,
  at,
  model,
  thumb: null,
});

const noConversation = () => new Failure("not_found", "no_conversation");

async function openShared(ctx: UserCtx, id: string): Promise<ConversationDetails> {
  const rating = await ctx.store.collection(ratings).get(id);
  if (!rating || rating.text === "") throw noConversation();
  await recordRatingLooks(ctx, [rating]);
  const turns = [{ role: rating.kind, text: rating.text }];
  return { ...openedRating(rating), source: "shared", reason: rating.reason, turns };
}

async function openLogged(ctx: UserCtx, id: string): Promise<ConversationDetails> {
  const prompt = await ctx.store.collection(prompts).get(id);
  if (!prompt) throw noConversation();
  await recordLook(ctx, prompt.ownerId, { kind: "logged_answer", target: id });
  const turns = [
    { role: "system", text: prompt.system },
    ...prompt.turns.map(({ role, text }) => ({ role, text })),
    { role: "answer", text: prompt.answer },
  ];
  return { ...openedPrompt(prompt), source: "logged", reason: "", turns };
}

type ConversationHandlers = Pick<Handlers<typeof lists>, "listConversations" | "getConversation" | "listSharedCards">;

export const conversationHandlers: ConversationHandlers = {
  async listConversations({ store }, { source, after }) {
    if (source === "shared") {
      const { items, next } = toPage(
        await findShared(store, "answer", { after, limit: PAGE_SIZE + 1 }),
        ({ key }) => key,
      );
      return { conversations: items.map(openedRating), next };
    }
    const { items, next } = toPage(await findLogged(store, { after, limit: PAGE_SIZE + 1 }), ({ _id }) => _id);
    return { conversations: items.map(openedPrompt), next };
  },

  async getConversation(ctx, { id }) {
    const [, source, rest = ""] = /^(shared|logged):(.+)$/.exec(id) ?? [];
    if (source === undefined) throw noConversation();
    return { conversation: source === "shared" ? await openShared(ctx, rest) : await openLogged(ctx, rest) };
  },

  async listSharedCards({ store }, { after }) {
    const { items, next } = toPage(await findShared(store, "card", { after, limit: PAGE_SIZE + 1 }), ({ key }) => key);
    return { cards: items.map(openedRating), next };
  },
};
