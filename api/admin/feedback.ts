import type { AdminFeedback, FeedbackFilter, inbox } from "#shared/admin/feedback-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type FeedbackDoc, feedbackCollection } from "#api/feedback/store.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { recordAction } from "./audit-log.ts";
import { composeFeedbackAnswer } from "./answer-mail.ts";
import { writeCsv } from "./csv.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";

/** New feedback has no stored state. */
const toStored = (state: AdminFeedback["state"]) => (state === "new" ? null : state);

export const countNewFeedback = (store: DocumentStore): Promise<number> =>
  store.collection(feedbackCollection).count({ state: null });

const present = ({ _id, feedback, category, currentRoute, email, createdAt, state }: FeedbackDoc): AdminFeedback => ({
  _id,
  feedback,
  category,
  currentRoute,
  email,
  createdAt,
  state: state ?? "new",
});

function findFeedback(
  store: DocumentStore,
  { state, category }: FeedbackFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FeedbackDoc[]> {
  return store.collection(feedbackCollection).find(
    {
      ...(state !== undefined && { state: toStored(state) }),
      ...(category !== undefined && { category }),
      ...(after !== undefined && { _id: { lt: after } }),
    },
    { order: [["_id", "desc"]], limit },
  );
}

async function saveState(store: DocumentStore, id: string, state: AdminFeedback["state"]): Promise<FeedbackDoc> {
  const patch = state === "new" ? { unset: ["state"] } : { set: { state } };
  const updated = await store.collection(feedbackCollection).patch({ _id: id }, patch);
  if (!updated) throw new Failure("not_found", "no_feedback");
  return updated;
}

export const feedbackHandlers: Handlers<typeof inbox> = {
  async listFeedback({ store }, { after, ...filter }) {
    const found = await findFeedback(store, filter, { after, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ _id }) => _id);
    return { feedback: items.map(present), next };
  },

  async *exportFeedback({ store }, filter) {
    yield* writeCsv<FeedbackDoc>({
      head: ["time", "category", "state", "route", "email", "feedback"],
      read: (last, limit) => findFeedback(store, filter, { after: last?._id, limit }),
      toRow(doc) {
        const { createdAt, category, state, currentRoute, email, feedback } = present(doc);
        return [new Date(createdAt).toISOString(), category, state, currentRoute, email, feedback];
      },
    });
  },

  async setFeedbackState(ctx, { id, state }) {
    await recordAction(ctx, "set_feedback_state", id);
    return { feedback: present(await saveState(ctx.store, id, state)) };
  },

  async answerFeedback(ctx, { id, text }) {
    const doc = await ctx.store.collection(feedbackCollection).get(id);
    if (!doc) throw new Failure("not_found", "no_feedback");
    if (doc.email === "") throw new Failure("bad_input", "feedback_without_address");
    if (!ctx.mailer.isConfigured) throw new Failure("not_configured", "no_mail_server");
    await recordAction(ctx, "answer_feedback", id);
    try {
      await ctx.mailer.send(composeFeedbackAnswer(doc, text, ctx.language()));
    } catch (error) {
      ctx.log.error({ requestId: ctx.requestId, err: error }, "an answer to feedback could not be sent");
      throw new Failure("unreachable", "mail_not_sent");
    }
    return { feedback: present(await saveState(ctx.store, id, "answered")) };
  },
};
