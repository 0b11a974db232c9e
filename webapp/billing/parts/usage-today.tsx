import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { type DailyLimit, formatTimeToReset, isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { type MessageKey, t } from "#shared/messages/translate.ts";
import { Meter } from "#shared/ui/meter.tsx";
import type { Plan, Usage } from "#shared/user/schema.ts";
import { formatResetTime } from "#webapp/app/format/format-reset.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { StorageUsageRow } from "#webapp/user/parts/settings/storage-usage.tsx";
import { loadUsage, todaysUsage, usageAtom } from "#webapp/user/usage.ts";

const rows = [
  ["assistantMessages", "billing.row_tutor", "assistantMessages"],
  ["researchMessages", "billing.row_research", "researchMessages"],
  ["studyCards", "billing.row_cards", "totalCardsStudied"],
  ["fileUploads", "billing.row_uploads", "fileUploads"],
  ["podcastCreations", "billing.row_podcasts", "podcastCreations"],
  ["autocompleteWords", "billing.row_words", "autocompleteWords"],
] as const satisfies readonly (readonly [DailyLimit, MessageKey, keyof Usage])[];

const textOf = (used: number, limit: number): string =>
  used < limit ? t("user.usage_of", { used, limit }) : t("billing.usage_reached", { limit });

/** Today's usage of each limit. Features without a limit are listed in one line. */
export function UsageToday({ plan }: { plan: Plan }) {
  const usage = useAtomValue(usageAtom);
  const now = useNow();
  useEffect(() => void loadUsage(), []);
  const limits = limitsOf(plan, now);
  const today = todaysUsage(usage, now);
  const limited = rows.filter(([name]) => !isUnlimited(name, limits[name]));
  const unlimited = rows.filter(([name]) => isUnlimited(name, limits[name]));
  return (
    <>
      <p className="billing-note">
        {t("billing.usage_reset", { time: formatTimeToReset(now), clock: formatResetTime(now) })}
      </p>
      <dl className="billing-usage">
        {limited.map(([name, label, counter]) => {
          const [used, limit] = [today[counter] ?? 0, limits[name]];
          const text = textOf(used, limit);
          return (
            <div key={name}>
              <dt>{t(label)}</dt>
              <dd className={usage !== null && used >= limit ? "is-reached" : undefined}>
                {usage === null ? "–" : text}
                {usage !== null && <Meter label={t(label)} value={used} max={limit} valueText={text} />}
              </dd>
            </div>
          );
        })}
      </dl>
      {unlimited.length > 0 && (
        <p className="billing-note">
          {t("billing.usage_unlimited", { names: unlimited.map(([, label]) => t(label)).join(", ") })}
        </p>
      )}
      <h3>{t("billing.usage_files")}</h3>
      <dl className="billing-usage">
        <div>
          <StorageUsageRow />
        </div>
      </dl>
    </>
  );
}
