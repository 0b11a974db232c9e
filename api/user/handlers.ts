import type { user } from "#shared/user/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { changedPreferences, isTimezone, mergePreferences, readPreferences } from "#shared/user/rules.ts";
import { presentUser } from "#api/kit/guard.ts";
import type { Handlers } from "#api/kit/handler.ts";
import { readStreak, readUsage } from "./service.ts";
import { findPreferences, findUser, savePreferences, saveUser } from "./store.ts";

export const handlers: Handlers<typeof user> = {
  async getPreferences({ own }) {
    return readPreferences(await findPreferences(own));
  },

  async savePreferences({ own }, sent) {
    const stored = readPreferences(await findPreferences(own));
    const merged = mergePreferences(stored, sent);
    if (!merged)
      throw new Failure("bad_input", "These preferences cannot be stored: one of the values is not allowed.");
    const changes = changedPreferences(stored, merged);
    if (Object.keys(changes).length > 0) await savePreferences(own, changes);
    return merged;
  },

  getUsage: (ctx) => readUsage(ctx),

  getStreak: (ctx) => readStreak(ctx),

  async saveSettings({ own, settings }, { name, timezone }) {
    if (timezone !== undefined && !isTimezone(timezone))
      throw new Failure("bad_input", "This is not a time zone we know. An example of one: Europe/Berlin.");
    const changes = { ...(name === undefined ? {} : { name }), ...(timezone === undefined ? {} : { timezone }) };
    const saved = Object.keys(changes).length > 0 ? await saveUser(own, changes) : await findUser(own);
    if (!saved) throw new Failure("signed_out", "Please sign in.");
    return { user: presentUser(settings, saved) };
  },
};
