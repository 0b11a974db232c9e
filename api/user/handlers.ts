import type { user } from "#shared/user/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { changedPreferences, mergePreferences, parsePreferences } from "#shared/user/merge-preferences.ts";
import { isTimezone } from "#shared/user/days.ts";
import { presentUser } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { getPublicUrl } from "#api/settings.ts";
import { pictureHandlers } from "./profile-picture.ts";
import { countCredits, getOrCreateReferralCode } from "./referrals.ts";
import { readStreak, readUsage } from "./service.ts";
import { addSeenFeatures, findPreferences, findUser, savePreferences, saveUser } from "./store.ts";

/** Handlers that are created with functions of other features. */
type CreatedElsewhere = "exportAccount" | "importAccount" | "deleteAccount" | "getStorage" | "eraseDeletedFiles";

export const handlers: Omit<Handlers<typeof user>, CreatedElsewhere> = {
  async getPreferences({ own }) {
    return parsePreferences(await findPreferences(own));
  },

  async savePreferences({ own }, sent) {
    const stored = parsePreferences(await findPreferences(own));
    const merged = mergePreferences(stored, sent);
    if (!merged) throw new Failure("bad_input", "preferences_invalid");
    const changes = changedPreferences(stored, merged);
    if (Object.keys(changes).length > 0) await savePreferences(own, changes);
    return merged;
  },

  getUsage: (ctx) => readUsage(ctx),

  getStreak: (ctx) => readStreak(ctx),

  ...pictureHandlers,

  async markFeatureSeen({ own, settings }, { featureIds }) {
    const user = await addSeenFeatures(own, featureIds);
    if (!user) throw new Failure("signed_out", "sign_in");
    return { user: presentUser(settings, user) };
  },

  async getReferral({ own, settings }) {
    const code = await getOrCreateReferralCode(own);
    const link = `${getPublicUrl(settings)}/?ref=${encodeURIComponent(code)}`;
    return { code, link, credited: await countCredits(own) };
  },

  async saveSettings({ own, settings }, { name, timezone, onboardingComplete }) {
    if (timezone !== undefined && !isTimezone(timezone)) throw new Failure("bad_input", "time_zone_unknown");
    const changes = {
      ...(name !== undefined && { name }),
      ...(timezone !== undefined && { timezone }),
      ...(onboardingComplete && { onboardingComplete }),
    };
    const saved = Object.keys(changes).length > 0 ? await saveUser(own, changes) : await findUser(own);
    if (!saved) throw new Failure("signed_out", "sign_in");
    return { user: presentUser(settings, saved) };
  },
};
