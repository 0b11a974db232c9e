import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { NoAnswer } from "./client.ts";

/** What the student was doing, where the words differ by it. */
export type Doing = "upload" | "flashcards" | "other";

export interface FriendlyFailure {
  message: string;
  /** The plan modal opens beside the message. */
  opensPlanModal: boolean;
}

/** The words of section 8 for a failed call; undefined where the student ended it and there is nothing to say. */
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

/** Not the file itself is too large, but what reading it takes. */
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
    // What to wait for: told that it failed, the student would not know that it will work.
    case 429:
      return cleanMessage(message) ?? t(`failures.${doing}`);
    default:
      return t(`failures.${doing}`);
  }
}

/** Why the signed-in user could not be loaded, to the letter of section 8. */
export function profileFailureMessage(error: unknown): string {
  if (!(error instanceof Failure)) return t("failures.profile_failed");
  const { status } = error;
  if (status === 401) return t("failures.session_expired");
  if (status === 403) return t("failures.profile_forbidden");
  return t(status >= 500 ? "failures.profile_server" : "failures.profile_failed");
}

const timeoutMessage = (doing: Doing) => t(doing === "flashcards" ? "failures.flashcards_timeout" : "failures.timeout");

const LONGEST_CLEAN_MESSAGE = 300;

/** A server's message is shown only when it reads like one for people: no markup, no JSON, no stack, no error class. */
function cleanMessage(message: string): string | undefined {
  const text = message.trim();
  const isClean =
    text.length > 0 &&
    text.length <= LONGEST_CLEAN_MESSAGE &&
    !/[<>{}[\]]|\n|\bat \w+ \(|^\w*Error\b|\b(undefined|null|NaN)\b|[A-Z]+_[A-Z]+/.test(text);
  return isClean ? text : undefined;
}
