import { t } from "#shared/messages/translate.ts";
import type { Category } from "./state.ts";

/** The categories' names in the interface language. The stored categories are always English. */
export const categoryNames: Readonly<Record<Category, string>> = {
  "Something's Broken": t("overlays.feedback_broken"),
  "I Have an Idea": t("overlays.feedback_idea"),
  "General Feedback": t("overlays.feedback_general"),
};
