import {
  limitRows,
  type LimitRow,
  type ShownPlan,
  shownPlans,
  valuesOf,
  withStorage,
} from "#shared/billing/limit-rows.ts";
import { isUnlimited, planLimits } from "#shared/billing/rules.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import type { PlanType } from "#shared/user/schema.ts";

const GIGABYTE = 1024 ** 3;

/** Formats a plan's limit as text. */
function formatLimit([name, , unit]: (typeof limitRows)[number], plan: PlanType): string {
  const limit = planLimits[plan][name];
  return isUnlimited(name, limit) ? t("billing.no_limit") : t(`billing.${unit}`, { count: formatNumber(limit) });
}

/** A reached limit, with what the account's plan and the other plans allow. */
export interface PlanLimit extends LimitRow {
  /** What the account's plan allows. */
  own: string;
  /** The number that the account's plan allows each day; undefined if the limit is not daily or there is none. */
  dailyLimit: number | undefined;
  /** The plans that allow more. */
  better: readonly ShownPlan[];
}

/** Finds a limit by the name that the API uses; undefined if plans have no such limit. */
export function findPlanLimit(name: string | undefined, plan: PlanType): PlanLimit | undefined {
  const row = limitRows.find(([limit]) => limit === name);
  if (!row) return undefined;
  const [limit, label, unit] = row;
  const ownLimit = planLimits[plan][limit];
  const amountOf = (other: PlanType) =>
    isUnlimited(limit, planLimits[other][limit]) ? Number.POSITIVE_INFINITY : planLimits[other][limit];
  return {
    label: t(`billing.${label}`),
    values: valuesOf((other) => formatLimit(row, other)),
    own: formatLimit(row, plan),
    dailyLimit: unit === "per_day" && !isUnlimited(limit, ownLimit) ? ownLimit : undefined,
    better: shownPlans.filter((other) => amountOf(other) > amountOf(plan)),
  };
}

/** The limits of each plan. They come from the numbers that the API enforces. */
export function listLimitRows(storageBytes: Readonly<Record<ShownPlan, number>> | undefined): LimitRow[] {
  const rows = limitRows.map((row) => ({
    label: t(`billing.${row[1]}`),
    values: valuesOf((plan) => formatLimit(row, plan)),
  }));
  if (!storageBytes) return rows;
  return withStorage(rows, {
    label: t("billing.row_storage"),
    values: valuesOf((plan) => t("billing.gigabytes", { count: formatNumber(storageBytes[plan] / GIGABYTE) })),
  });
}
