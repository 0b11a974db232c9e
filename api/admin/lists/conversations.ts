import type { ConversationDetails, lists, ConversationSummary, SharedFilter } from "#shared/admin/lists-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type PromptDoc, prompts } from "#api/ai/prompt-log.ts";
import { type RatingDoc, ratings } from "#api/feedback/ratings.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { findFigureRecord } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { recordAccess, recordRatingAccess } from "./access-log.ts";
import { openIdCipher, readEncryptedPage } from "../id-cipher.ts";
import { PAGE_SIZE } from "#api/store/paging/to-page.ts";

interface ListPosition {
  after: string | undefined;
  limit: number;
}

type SharedRatingFilter = SharedFilter & Pick<RatingDoc, "kind">;

/** Ratings whose text the student chose to share, the newest first. */
export const findSharedRatings = (
  store: DocumentStore,
  { kind, thumb }: SharedRatingFilter,
  { after, limit }: ListPosition,
): Promise<RatingDoc[]> =>
  store.collection(ratings).find(
    {
      kind,
      text: { gt: "" },
      ...(thumb !== undefined && { value: thumb }),
      ...(after !== undefined && { key: { lt: after } }),
    },
    { order: [["key", "desc"]], limit },
  );

/** Entries of the prompt log, without their text. */
export const listLoggedPrompts = (store: DocumentStore, { after, limit }: ListPosition) =>
  store.collection(prompts).find(after === undefined ? {} : { _id: { lt: after } }, {
    order: [["_id", "desc"]],
    limit,
    fields: ["at", "model"],
  });

type SummaryWithoutId = Omit<ConversationSummary, "_id">;

const summariseRating = ({ createdAt, model, value }: RatingDoc): SummaryWithoutId => ({
  at: createdAt,
  model,
  thumb: value,
});

const summarisePrompt = ({ at, model }: Pick<PromptDoc, "at" | "model">): SummaryWithoutId => ({
  at,
  model,
  thumb: null,
});

const noConversation = () => new Failure("not_found", "no_conversation");

type DetailsWithoutId = Omit<ConversationDetails, "_id">;

/** The citation counts of a rated answer; null once the records of its day have been erased. */
async function readCitations(
  store: DocumentStore,
  { _id, ownerId, kind }: RatingDoc,
): Promise<ConversationDetails["citations"]> {
  if (kind !== "answer") return null;
  const answerId = _id.slice(`${ownerId}:${kind}:`.length);
  const entry = await findFigureRecord(ownedBy(store, ownerId), "answers", answerId);
  return entry ? { verified: entry.sums["verified"] ?? 0, dropped: entry.sums["dropped"] ?? 0 } : null;
}

async function openShared(ctx: UserCtx, id: string): Promise<DetailsWithoutId> {
  const rating = await ctx.store.collection(ratings).get(id);
  if (!rating || rating.text === "") throw noConversation();
  await recordRatingAccess(ctx, [rating]);
  const turns = [{ role: rating.kind, text: rating.text }];
  const citations = await readCitations(ctx.store, rating);
  return { ...summariseRating(rating), source: "shared", reason: rating.reason, citations, turns };
}

async function openLogged(ctx: UserCtx, id: string): Promise<DetailsWithoutId> {
  const prompt = await ctx.store.collection(prompts).get(id);
  if (!prompt) throw noConversation();
  await recordAccess(ctx, prompt.ownerId, { kind: "logged_answer", target: id });
  const turns = [
    { role: "system", text: prompt.system },
    ...prompt.turns.map(({ role, text }) => ({ role, text })),
    { role: "answer", text: prompt.answer },
  ];
  return { ...summarisePrompt(prompt), source: "logged", reason: "", citations: null, turns };
}

async function listShared(store: DocumentStore, filter: SharedRatingFilter, after: string | undefined) {
  const { ids, items, next } = await readEncryptedPage(store, {
    after,
    read: (from) => findSharedRatings(store, filter, { after: from, limit: PAGE_SIZE + 1 }),
    keyOf: ({ key }) => key,
  });
  const summaries = items.map((rating) => ({ _id: ids.encrypt(`shared:${rating._id}`), ...summariseRating(rating) }));
  return { summaries, next };
}

async function listLogged(store: DocumentStore, after: string | undefined) {
  const { ids, items, next } = await readEncryptedPage(store, {
    after,
    read: (from) => listLoggedPrompts(store, { after: from, limit: PAGE_SIZE + 1 }),
    keyOf: ({ _id }) => _id,
  });
  const summaries = items.map((prompt) => ({ _id: ids.encrypt(`logged:${prompt._id}`), ...summarisePrompt(prompt) }));
  return { summaries, next };
}

type ConversationHandlers = Pick<Handlers<typeof lists>, "listConversations" | "getConversation" | "listSharedCards">;

export const conversationHandlers: ConversationHandlers = {
  async listConversations({ store }, { source, thumb, after }) {
    const { summaries, next } =
      source === "shared" ? await listShared(store, { kind: "answer", thumb }, after) : await listLogged(store, after);
    return { conversations: summaries, next };
  },

  async getConversation(ctx, { id }) {
    const known = (await openIdCipher(ctx.store)).decrypt(id) ?? "";
    const [, source, rest = ""] = /^(shared|logged):(.+)$/.exec(known) ?? [];
    if (source === undefined) throw noConversation();
    const details = source === "shared" ? await openShared(ctx, rest) : await openLogged(ctx, rest);
    return { conversation: { _id: id, ...details } };
  },

  async listSharedCards({ store }, { thumb, after }) {
    const { summaries, next } = await listShared(store, { kind: "card", thumb }, after);
    return { cards: summaries, next };
  },
};
