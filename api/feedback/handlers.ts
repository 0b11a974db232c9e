import { ulid } from "ulid";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { feedback, FeedbackRating } from "#shared/feedback/contract.ts";
import type { Models } from "#api/ai/port.ts";
import type { Handlers } from "#api/http/handler.ts";
import { toPage } from "#api/store/paging/to-page.ts";
import { getPreferences } from "#api/user/service.ts";
import { saveRating } from "./ratings.ts";
import { ANONYMOUS_OWNER, countHelpRating, listHelpRatings, saveEvent, saveFeedback } from "./store.ts";

type FeedbackInput = Parsed<(typeof feedback)["sendFeedback"]>;

const pickFields = ({ feedback: text, category, currentRoute, email }: FeedbackInput) => ({
  feedback: text,
  category,
  currentRoute,
  email,
});

/**
 * The id of a model that the server knows, else "none". Names from clients are not stored, because figures are grouped
 * by them and administrators see them.
 */
async function modelOf(models: Models, { kind, model }: Pick<FeedbackRating, "kind" | "model">): Promise<string> {
  const found = kind === "completion" ? await models.choose() : await models.choose(model);
  return found?.info.id ?? "none";
}

export const handlers: Handlers<typeof feedback> = {
  async sendFeedback({ store, clock, caller }, input) {
    await saveFeedback(store, {
      ...pickFields(input),
      _id: ulid(),
      ownerId: caller.userId,
      // Fall back to the account's own address if none was entered.
      email: input.email === "" ? caller.email : input.email,
      createdAt: clock.now(),
    });
    return { success: true };
  },

  async sendAnonymousFeedback({ store, clock }, input) {
    await saveFeedback(store, { ...pickFields(input), _id: ulid(), ownerId: ANONYMOUS_OWNER, createdAt: clock.now() });
    return { success: true };
  },

  async rateHelp({ store }, { path, isHelpful }) {
    await countHelpRating(store, path, isHelpful ? "yes" : "no");
    return { success: true };
  },

  async listHelpRatings({ store }, { after, ...filter }) {
    const { items, next } = toPage(await listHelpRatings(store, filter, { after }), ({ path }) => path);
    return { ratings: items, next };
  },

  async sendEvents({ own, clock }, { events }) {
    if (!(await getPreferences(own)).analytics.enabled) throw new Failure("forbidden", "not_allowed_in_settings");
    const createdAt = clock.now();
    for (const event of events) await saveEvent(own, { ...event, _id: ulid(), createdAt });
    return { success: true };
  },

  async rate({ own, clock, models }, rating) {
    await saveRating(own, { ...rating, model: await modelOf(models, rating) }, clock.now());
    return { success: true };
  },
};
