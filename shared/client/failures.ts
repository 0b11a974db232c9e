import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { NoAnswer } from "./client.ts";

/** The student's activity, if the message depends on it. */
export type Doing = "upload" | "flashcards" | "other";

export interface FriendlyFailure {
  message: string;
  /** The plan dialog opens with the message. */
  opensPlanModal: boolean;
}

/** The message of specification section 8 for a failed call; undefined if the student cancelled it. */
export function friendlyFailure(error: unknown, doing: Doing = "other"): FriendlyFailure | undefined {
  if (error instanceof NoAnswer && error.reason === "aborted") return undefined;
  const opensPlanModal = error instanceof Failure && error.status === 402;
  return { message: messageOf(error, doing), opensPlanModal };
}

function messageOf(error: unknown, doing: Doing): string {
  if (error instanceof NoAnswer) return error.reason === "timeout" ? timeoutMessage(doing) : t("failures.network");
  if (!(error instanceof Failure)) return t(`failures.${doing}`);
  return error.code === "timed_out" ? timeoutMessage(doing) : refusalMessage(error, doing);
}

/** The file itself is not too large, but reading it takes too much. */
const isOfReading = ({ code, data }: Failure) => code === "too_large" && data?.["reason"] === "too_large";

const SERVERS_TROUBLE: ReadonlySet<number> = new Set([500, 502, 503, 504]);

function refusalMessage(failure: Failure, doing: Doing): string {
  const { status, message } = failure;
  if (SERVERS_TROUBLE.has(status)) return t("failures.server");
  switch (status) {
    case 400:
      return cleanMessage(message) ?? t(doing === "upload" ? "failures.upload_input" : "failures.input");
    case 402:
      return cleanMessage(message) ?? t("failures.usage_limit");
    case 413:
      return isOfReading(failure) ? message : t("failures.too_large");
    // Tells the student how long to wait: a plain failure message would not.
    case 429:
      return cleanMessage(message) ?? t(`failures.${doing}`);
    default:
      return t(`failures.${doing}`);
  }
}

/** Why the signed-in user could not be loaded, with the exact wording of section 8. */
export function profileFailureMessage(error: unknown): string {
  if (!(error instanceof Failure)) return t("failures.profile_failed");
  const { status } = error;
  if (status === 401) return t("failures.session_expired");
  if (status === 403) return t("failures.profile_forbidden");
  return t(status >= 500 ? "failures.profile_server" : "failures.profile_failed");
}

const timeoutMessage = (doing: Doing) => t(doing === "flashcards" ? "failures.flashcards_timeout" : "failures.timeout");

const LONGEST_CLEAN_MESSAGE = 300;

/** A server's message is shown only if it reads like one for users: no markup, JSON, stack trace or error class. */
function cleanMessage(message: string): string | undefined {
  const text = message.trim();
  const isClean =
    text.length > 0 &&
    text.length <= LONGEST_CLEAN_MESSAGE &&
    !/[<>{}[\]]|\n|\bat \w+ \(|^\w*Error\b|\b(undefined|null|NaN)\b|[A-Z]+_[A-Z]+/.test(text);
  return isClean ? text : undefined;
}
