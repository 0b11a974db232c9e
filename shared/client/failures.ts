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

/** Where no status came, as behind a proxy that answered nothing sensible. */
const NO_STATUS = 520;

interface DescribedFailure {
  status: number;
  statusMessage: string;
  message: string;
  code: string | undefined;
  data: Record<string, unknown> | undefined;
}

/** Everything that is known about a failed call, whatever shape it failed in. */
export function describeFailure(error: unknown): DescribedFailure {
  if (error instanceof Failure) {
    const { status, error: statusMessage, message } = error.body();
    return { status, statusMessage, message: message || statusMessage, code: error.code, data: error.data };
  }
  const statusMessage = t("failures.unknown_error");
  const message = error instanceof Error && error.message ? error.message : statusMessage;
  return { status: NO_STATUS, statusMessage, message, code: undefined, data: undefined };
}

/** The words of section 8 for a failed call; undefined where the student ended it and there is nothing to say. */
export function friendlyFailure(error: unknown, doing: Doing = "other"): FriendlyFailure | undefined {
  if (error instanceof NoAnswer) {
    if (error.reason === "aborted") return undefined;
    return said(error.reason === "timeout" ? timeoutMessage(doing) : t("failures.network"));
  }
  if (!(error instanceof Failure)) return said(fallback(doing));
  const own = cleanMessage(error.message);
  if (error.code === "timed_out") return said(timeoutMessage(doing));
  switch (error.status) {
    case 400:
      return said(own ?? t(doing === "upload" ? "failures.upload_input" : "failures.input"));
    case 402:
      return { message: own ?? t("failures.usage_limit"), opensPlanModal: true };
    case 413:
      return said(t("failures.too_large"));
    case 500:
    case 502:
    case 503:
    case 504:
      return said(t("failures.server"));
    default:
      return said(fallback(doing));
  }
}

/** Why the signed-in user could not be loaded, to the letter of section 8. */
export function profileFailureMessage(error: unknown): string {
  const { status } = describeFailure(error);
  if (!(error instanceof Failure)) return t("failures.profile_failed");
  if (status === 401) return t("failures.session_expired");
  if (status === 403) return t("failures.profile_forbidden");
  return t(status >= 500 ? "failures.profile_server" : "failures.profile_failed");
}

const said = (message: string): FriendlyFailure => ({ message, opensPlanModal: false });

const timeoutMessage = (doing: Doing) => t(doing === "flashcards" ? "failures.flashcards_timeout" : "failures.timeout");

const fallback = (doing: Doing) => t(`failures.${doing}`);

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
