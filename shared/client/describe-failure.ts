import { t } from "#shared/messages/translate.ts";

/** Used if there was no status, e.g. behind a proxy that sent no valid response. */
const NO_STATUS = 520;

interface DescribedFailure {
  status: number;
  statusMessage: string;
  message: string;
  code: string | undefined;
  data: unknown;
}

/**
 * Everything known about a failed call. Any thrown value is accepted. The function checks fields instead of the class,
 * so that the error screen does not load the contract.
 */
export function describeFailure(error: unknown): DescribedFailure {
  const known = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const { status, statusMessage, message, error: shortName, code, data } = known;
  const fallback = textOr(shortName, textOr(statusMessage, t("failures.unknown_occurred")));
  return {
    status: typeof status === "number" ? status : NO_STATUS,
    statusMessage: textOr(statusMessage, t("failures.unknown_error")),
    message: textOr(message, fallback),
    code: typeof code === "string" ? code : undefined,
    data,
  };
}

const textOr = (value: unknown, fallback: string) => (typeof value === "string" && value !== "" ? value : fallback);
