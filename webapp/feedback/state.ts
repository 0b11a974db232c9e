import type { FEEDBACK_CATEGORIES } from "#shared/feedback/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { readToken } from "#webapp/app/session/token.ts";

export type Category = (typeof FEEDBACK_CATEGORIES)[number];

interface FeedbackInput {
  feedback: string;
  category: Category;
  email: string;
}

/** Resolves to whether the server accepted the feedback. Shows a notice in both cases. */
export async function sendFeedback(input: FeedbackInput): Promise<boolean> {
  const currentRoute = `${location.pathname}${location.search}`;
  const request = { ...input, currentRoute, mode: "detailed" } as const;
  try {
    if (readToken() === undefined) await client.feedback.sendAnonymousFeedback(request);
    else await client.feedback.sendFeedback({ ...request, email: "" });
    notify({ message: t("overlays.feedback_done"), type: "success" });
    return true;
  } catch (error) {
    logWarning("Failed to submit feedback", error);
    notify({ message: t("overlays.feedback_failed"), type: "error" });
    return false;
  }
}
