import { ulid } from "ulid";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { feedback } from "#shared/feedback/contract.ts";
import type { Handlers } from "#api/http/handler.ts";
import { preferencesOf } from "#api/user/service.ts";
import { NOBODY, removeEventsBefore, saveEvent, saveFeedback } from "./store.ts";

const EVENTS_KEPT_MS = 30 * 86_400_000;

type Said = Parsed<(typeof feedback)["sendFeedback"]>;

const wordsOf = ({ feedback: words, category, currentRoute, email }: Said) => ({
  feedback: words,
  category,
  currentRoute,
  email,
});

export const handlers: Handlers<typeof feedback> = {
  async sendFeedback({ store, clock, caller }, said) {
    await saveFeedback(store, {
      ...wordsOf(said),
      _id: ulid(),
      ownerId: caller.userId,
      // Fall back to the account's own address if none was entered.
      email: said.email === "" ? caller.email : said.email,
      createdAt: clock.now(),
    });
    return { success: true };
  },

  async sendAnonymousFeedback({ store, clock }, said) {
    await saveFeedback(store, { ...wordsOf(said), _id: ulid(), ownerId: NOBODY, createdAt: clock.now() });
    return { success: true };
  },

  async sendEvents({ own, clock }, { events }) {
    if (!(await preferencesOf(own)).analytics.enabled) throw new Failure("forbidden", "not_allowed_in_settings");
    const createdAt = clock.now();
    await removeEventsBefore(own, createdAt - EVENTS_KEPT_MS);
    for (const event of events) await saveEvent(own, { ...event, _id: ulid(), createdAt });
    return { success: true };
  },
};
