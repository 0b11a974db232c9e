import { WRITTEN_CARD_GATES } from "#shared/cards/gates/gate-names.ts";
import { t } from "#shared/messages/translate.ts";
import { PlanType } from "#shared/user/schema.ts";

/** The features for which model calls and background jobs are counted. */
export const FEATURES = [
  "tutor",
  "flashcards",
  "study",
  "quiz",
  "pages",
  "pdf",
  "pdf_analysis",
  "recognition",
  "uploads",
  "video",
  "video_speech",
  "podcasts",
  "podcast",
  "research",
  "website",
  "website_message",
  "library",
  "capture",
] as const;

/** A feature that this version does not have is shown by its code. */
export function featureName(feature: string): string {
  if (feature === "other") return t("figures.other");
  const known = FEATURES.find((name) => name === feature);
  return known ? t(`figures.feature_${known}`) : feature;
}

export function gateName(gate: string): string {
  const known = WRITTEN_CARD_GATES.find((name) => name === gate);
  return known ? t(`figures.gate_${known}`) : gate;
}

export function planName(plan: string): string {
  const known = PlanType.options.find((name) => name === plan);
  return known ? t(`user.plan_${known}`) : plan;
}
