import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { NoResponseError } from "./client.ts";

/** The student's activity, if the message depends on it. */
export type Activity = "upload" | "flashcards" | "other";

export interface FailureMessage {
  message: string;
  /** Whether the plan dialog opens with the message. */
  opensPlanModal: boolean;
}

/** The message of specification section 8 for a failed call; undefined if the student cancelled it. */
export function toFailureMessage(error: unknown, activity: Activity = "other"): FailureMessage | undefined {
  if (error instanceof NoResponseError && error.reason === "aborted") return undefined;
  const opensPlanModal = error instanceof Failure && error.status === 402;
  return { message: messageOf(error, activity), opensPlanModal };
}

function messageOf(error: unknown, activity: Activity): string {
  if (error instanceof NoResponseError)
    return error.reason === "timeout" ? timeoutMessage(activity) : t("failures.network");
  if (!(error instanceof Failure)) return t(`failures.${activity}`);
  return error.code === "timed_out" ? timeoutMessage(activity) : refusalMessage(error, activity);
}

/** Whether another limit was exceeded than the file size: the work of reading the file, or the account's storage. */
const isOtherLimit = ({ code, data }: Failure) =>
  code === "too_large" && (data?.["reason"] === "too_large" || data?.["limit"] === "storage");

const SERVER_ERRORS: ReadonlySet<number> = new Set([500, 502, 503, 504]);

function refusalMessage(failure: Failure, activity: Activity): string {
  const { status, message } = failure;
  if (SERVER_ERRORS.has(status)) return t("failures.server");
  switch (status) {
    case 400:
      return readableMessage(message) ?? t(activity === "upload" ? "failures.upload_input" : "failures.input");
    case 402:
      return readableMessage(message) ?? t("failures.usage_limit");
    case 413:
      return isOtherLimit(failure) ? message : t("failures.too_large");
    // The server's message says how long to wait, which a general message would not.
    case 429:
      return readableMessage(message) ?? t(`failures.${activity}`);
    default:
      return t(`failures.${activity}`);
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

const timeoutMessage = (activity: Activity) =>
  t(activity === "flashcards" ? "failures.flashcards_timeout" : "failures.timeout");

const MAX_MESSAGE_CHARS = 300;

/** The server's message if it is readable for users: without markup, JSON, stack trace or error class. */
function readableMessage(message: string): string | undefined {
  const text = message.trim();
  const isClean =
    text.length > 0 &&
    text.length <= MAX_MESSAGE_CHARS &&
    !/[<>{}[\]]|\n|\bat \w+ \(|^\w*Error\b|\b(undefined|null|NaN)\b|[A-Z]+_[A-Z]+/.test(text);
  return isClean ? text : undefined;
}
