import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { type DailyLimit, formatTimeToReset, isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { type MessageKey, t } from "#shared/messages/translate.ts";
import { Meter } from "#shared/ui/meter.tsx";
import type { Plan, Usage } from "#shared/user/schema.ts";
import { formatResetTime } from "#webapp/app/format/format-reset.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { loadUsage, todaysUsage, usageAtom } from "#webapp/user/usage.ts";

const rows = [
  ["assistantMessages", "billing.row_tutor", "assistantMessages"],
  ["researchMessages", "billing.row_research", "researchMessages"],
  ["studyCards", "billing.row_cards", "totalCardsStudied"],
  ["fileUploads", "billing.row_uploads", "fileUploads"],
  ["podcastCreations", "billing.row_podcasts", "podcastCreations"],
  ["autocompleteWords", "billing.row_words", "autocompleteWords"],
] as const satisfies readonly (readonly [DailyLimit, MessageKey, keyof Usage])[];

function textOf(used: number, limit: number | undefined): string {
  if (limit === undefined) return t("user.usage_unlimited", { used });
  return used < limit ? t("user.usage_of", { used, limit }) : t("billing.usage_reached", { limit });
}

/** What was used today of each daily limit. */
export function UsageToday({ plan }: { plan: Plan }) {
  const usage = useAtomValue(usageAtom);
  const now = useNow();
  useEffect(() => void loadUsage(), []);
  const limits = limitsOf(plan, now);
  const today = todaysUsage(usage, now);
  return (
    <>
      <dl className="billing-usage">
        {rows.map(([name, label, counter]) => {
          const [used, limit] = [today[counter] ?? 0, limits[name]];
          const hasNoLimit = isUnlimited(name, limit);
          const isReached = !hasNoLimit && usage !== null && used >= limit;
          const text = textOf(used, hasNoLimit ? undefined : limit);
          return (
            <div key={name}>
              <dt>{t(label)}</dt>
              <dd className={isReached ? "is-reached" : undefined}>
                {usage === null ? "–" : text}
                {usage !== null && !hasNoLimit && <Meter label={t(label)} value={used} max={limit} valueText={text} />}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="billing-note">
        {t("billing.usage_reset", { time: formatTimeToReset(now), clock: formatResetTime(now) })}
      </p>
    </>
  );
}
