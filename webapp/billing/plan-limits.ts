import { limitRows, type LimitRow, type ShownPlan, valuesOf, withStorage } from "#shared/billing/limit-rows.ts";
import { isUnlimited, planLimits } from "#shared/billing/rules.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";

const GIGABYTE = 1024 ** 3;

/** What each plan allows: from the limits that the API enforces. */
export function listLimitRows(storageBytes: Readonly<Record<ShownPlan, number>> | undefined): LimitRow[] {
  const rows = limitRows.map(([name, label, unit]) => ({
    label: t(`billing.${label}`),
    values: valuesOf((plan) => {
      const limit = planLimits[plan][name];
      return isUnlimited(name, limit) ? t("billing.no_limit") : t(`billing.${unit}`, { count: formatNumber(limit) });
    }),
  }));
  if (!storageBytes) return rows;
  return withStorage(rows, {
    label: t("billing.row_storage"),
    values: valuesOf((plan) => t("billing.gigabytes", { count: formatNumber(storageBytes[plan] / GIGABYTE) })),
  });
}
