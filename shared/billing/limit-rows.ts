import type { LimitName } from "./rules.ts";

/** The plans that are compared. */
export const shownPlans = ["FREE", "PLUS", "ULTIMATE"] as const;
export type ShownPlan = (typeof shownPlans)[number];

/** Rows of the comparison: the limit, and the messages of `billing` that name it and its unit. */
export const limitRows = [
  ["assistantMessages", "row_tutor", "per_day"],
  ["researchMessages", "row_research", "per_day"],
  ["studyCards", "row_cards", "per_day"],
  ["fileUploads", "row_uploads", "per_day"],
  ["fileSizeMb", "row_size", "megabytes"],
  ["pdfToFlashcardsPages", "row_pages", "first_pages"],
  ["podcastCreations", "row_podcasts", "per_day"],
  ["autocompleteWords", "row_words", "per_day"],
] as const satisfies readonly (readonly [LimitName, string, string])[];

export interface LimitRow {
  label: string;
  /** The limit of each plan, in words. */
  values: Readonly<Record<ShownPlan, string>>;
}

export const valuesOf = (format: (plan: ShownPlan) => string): LimitRow["values"] => ({
  FREE: format("FREE"),
  PLUS: format("PLUS"),
  ULTIMATE: format("ULTIMATE"),
});

/** Storage comes after the limits of frequent actions. */
export const withStorage = (rows: readonly LimitRow[], storage: LimitRow): LimitRow[] => [
  ...rows.slice(0, 2),
  storage,
  ...rows.slice(2),
];
