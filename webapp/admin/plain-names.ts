import { WRITTEN_CARD_GATES } from "#shared/cards/gates/gate-names.ts";
import { t } from "#shared/messages/translate.ts";
import { PlanType } from "#shared/user/schema.ts";

/** What calls of model servers and background jobs are counted for. */
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

/** A feature that only another version knows is shown by its code. */
export function featureName(feature: string): string {
  if (feature === "other") return t("figures.other");
  const known = FEATURES.find((one) => one === feature);
  return known ? t(`figures.feature_${known}`) : feature;
}

export function gateName(gate: string): string {
  const known = WRITTEN_CARD_GATES.find((one) => one === gate);
  return known ? t(`figures.gate_${known}`) : gate;
}

export function planName(plan: string): string {
  const known = PlanType.options.find((one) => one === plan);
  return known ? t(`user.plan_${known}`) : plan;
}
