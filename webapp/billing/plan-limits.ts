import { isUnlimited, type LimitName, planLimits } from "#shared/billing/rules.ts";
import { formatNumber, type MessageKey, t } from "#shared/messages/translate.ts";

export const shownPlans = ["FREE", "PLUS", "ULTIMATE"] as const;
export type ShownPlan = (typeof shownPlans)[number];

interface LimitRow {
  label: string;
  /** The limit of each plan, in words. */
  values: Readonly<Record<ShownPlan, string>>;
}

type Unit = "per_day" | "first_pages" | "megabytes";

const rows = [
  ["assistantMessages", "billing.row_tutor", "per_day"],
  ["researchMessages", "billing.row_research", "per_day"],
  ["studyCards", "billing.row_cards", "per_day"],
  ["fileUploads", "billing.row_uploads", "per_day"],
  ["fileSizeMb", "billing.row_size", "megabytes"],
  ["pdfToFlashcardsPages", "billing.row_pages", "first_pages"],
  ["podcastCreations", "billing.row_podcasts", "per_day"],
  ["autocompleteWords", "billing.row_words", "per_day"],
] as const satisfies readonly (readonly [LimitName, MessageKey, Unit])[];

function formatLimit(name: LimitName, limit: number, unit: (typeof rows)[number][2]): string {
  if (isUnlimited(name, limit)) return t("billing.no_limit");
  return t(`billing.${unit}`, { count: formatNumber(limit) });
}

const GIGABYTE = 1024 ** 3;

/** What each plan allows: from the limits that the API enforces. */
export function listLimitRows(storageBytes: Readonly<Record<ShownPlan, number>> | undefined): LimitRow[] {
  const valuesOf = (formatFor: (plan: ShownPlan) => string) => ({
    FREE: formatFor("FREE"),
    PLUS: formatFor("PLUS"),
    ULTIMATE: formatFor("ULTIMATE"),
  });
  const counted = rows.map(([name, label, unit]) => ({
    label: t(label),
    values: valuesOf((plan) => formatLimit(name, planLimits[plan][name], unit)),
  }));
  const storage = storageBytes && {
    label: t("billing.row_storage"),
    values: valuesOf((plan) => t("billing.gigabytes", { count: formatNumber(storageBytes[plan] / GIGABYTE) })),
  };
  return storage ? [...counted.slice(0, 2), storage, ...counted.slice(2)] : counted;
}
