import type { Demographic, DEMOGRAPHICS, lists } from "#shared/admin/lists-contract.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { users } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { sessions } from "#api/http/sessions/session-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { countLanguages } from "#api/user/count-languages.ts";
import { cacheForAMinute } from "../cache-for-a-minute.ts";

/** A smaller group could identify a student. */
const MIN_GROUP = 5;

/** The groups that may be shown, the largest first. */
export function toDemographic(counts: ReadonlyMap<string, number>): Demographic {
  const all = [...counts].filter(([, accounts]) => accounts > 0);
  const shown = all.filter(([, accounts]) => accounts >= MIN_GROUP);
  const groups = shown.map(([name, accounts]) => ({ name, accounts })).toSorted((a, b) => b.accounts - a.accounts);
  return { groups, hasSmall: shown.length < all.length };
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** Matched in this order, because the user agents of many browsers name other browsers as well. */
const BROWSERS = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\//],
  ["Chrome", /Chrome\//],
  ["Safari", /Safari\//],
] as const;

export const browserOf = (device: string): string =>
  BROWSERS.find(([, pattern]) => pattern.test(device))?.[0] ?? "other";

/** Each account counts once for each browser that it is signed in with. */
async function countBrowsers(store: DocumentStore, now: number): Promise<Map<string, number>> {
  const found = await store
    .collection(sessions)
    .find({ kind: "browser", expiresAt: { gt: now } }, { fields: ["userId", "device"] });
  const pairs = new Set(found.map(({ userId, device }) => `${browserOf(device)} ${userId}`));
  return countBy([...pairs], (pair) => pair.split(" ")[0] ?? "");
}

export type Demographics = Record<(typeof DEMOGRAPHICS)[number], Demographic>;

async function countDemographics({ store, clock }: Pick<UserCtx, "store" | "clock">): Promise<Demographics> {
  const now = clock.now();
  const accounts = store.collection(users);
  const [found, browsers, languages] = await Promise.all([
    // Reads whole documents, because they are small and SQLite would have to parse each to extract some fields.
    accounts.find({}),
    countBrowsers(store, now),
    countLanguages(store),
  ]);
  const chosen = [...languages.values()].reduce((sum, count) => sum + count, 0);
  return {
    plan: toDemographic(countBy(found, ({ plan }) => effectivePlan(plan, now))),
    language: toDemographic(new Map([...languages, ["system", found.length - chosen]])),
    timezone: toDemographic(countBy(found, ({ timezone }) => timezone)),
    browser: toDemographic(browsers),
    signUp: toDemographic(
      countBy(found, ({ authProvider, referralCode }) => (referralCode === null ? authProvider : "REFERRAL")),
    ),
  };
}

/** Cached, because counting reads every account. */
export const readDemographics = cacheForAMinute(countDemographics);

export const demographicHandlers: Pick<Handlers<typeof lists>, "getDemographics"> = {
  getDemographics: async (ctx) => ({ demographics: await readDemographics(ctx) }),
};
