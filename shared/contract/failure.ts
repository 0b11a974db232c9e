import { z } from "zod";
import type {
  ParamsOf,
  PlainReasonKey,
  Reason,
  ReasonKey,
  ReasonParams,
  SentReason,
} from "#shared/messages/reasons.ts";
import { reasonFields, type ReasonRef } from "#shared/messages/schema.ts";
import { englishReason } from "#shared/messages/translate.ts";

/** Every failure code, with its HTTP status and the short name sent as `error`. */
export const failures = {
  bad_input: { status: 400, error: "Bad Request" },
  invalid_file: { status: 400, error: "Invalid file" },
  invalid_pdf: { status: 400, error: "Invalid PDF file" },
  unsupported_file_type: { status: 400, error: "Unsupported file type" },
  signed_out: { status: 401, error: "Unauthorized" },
  token_replaced: { status: 401, error: "Token replaced" },
  temp_token_expired: { status: 401, error: "Temp token expired" },
  wrong_credentials: { status: 401, error: "Wrong credentials" },
  link_expired: { status: 400, error: "Link expired" },
  wrong_password: { status: 403, error: "Wrong password" },
  sign_in_again: { status: 403, error: "Sign in again" },
  address_unverified: { status: 403, error: "Address unverified" },
  limit_reached: { status: 402, error: "Limit reached" },
  forbidden: { status: 403, error: "Forbidden" },
  registration_closed: { status: 403, error: "Registration closed" },
  access_revoked: { status: 403, error: "Access revoked" },
  not_found: { status: 404, error: "Not Found" },
  no_transcript: { status: 404, error: "No transcript" },
  method_not_allowed: { status: 405, error: "Method Not Allowed" },
  timed_out: { status: 408, error: "Timed out" },
  already_exists: { status: 409, error: "Already exists" },
  version_conflict: { status: 409, error: "Version conflict" },
  too_large: { status: 413, error: "Too large" },
  range_not_satisfiable: { status: 416, error: "Range Not Satisfiable" },
  too_many_requests: { status: 429, error: "Too Many Requests" },
  cancelled: { status: 499, error: "Cancelled" },
  broken: { status: 500, error: "Internal Server Error" },
  not_configured: { status: 501, error: "Not Configured" },
  unreachable: { status: 502, error: "Bad Gateway" },
  model_unavailable: { status: 503, error: "Model unavailable" },
  shutting_down: { status: 503, error: "Shutting down" },
  store_unavailable: { status: 503, error: "Store unavailable" },
  storage_full: { status: 507, error: "Storage full" },
} as const;

export type FailureCode = keyof typeof failures;

const codes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

/** The body of a failed call. Screens translate `reason`; without a reason they show `message`, which is English. */
export const FailureBody = z.object({
  status: z.int(),
  error: z.string(),
  code: z.enum(codes),
  ...reasonFields,
  reason: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type FailureBody = z.infer<typeof FailureBody>;

type Data = Readonly<Record<string, unknown>>;
type NoParams = Readonly<Record<string, never>>;
type ParamKey = Exclude<ReasonKey, PlainReasonKey>;
/** A text that another program wrote, such as another server, with its reason if that is known. */
export type SentText = SentReason & { readonly message: string };

/** The reason, the values of its placeholders, and data for the screen that handles the code. */
type FailureArguments =
  | [reason: PlainReasonKey, params?: NoParams, data?: Data | undefined]
  | { [K in ParamKey]: [reason: K, params: ParamsOf<K>, data?: Data | undefined] }[ParamKey]
  | [why: Reason | SentText, params?: undefined, data?: Data | undefined];

/** The one error that crosses the wire. `reason` is for people, `data` for the screen that handles the code. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  /** A key of the reasons; undefined only if a client made the failure, or if another server answered. */
  readonly reason: string | undefined;
  readonly params: ReasonParams | undefined;
  readonly data: Data | undefined;

  constructor(code: FailureCode, ...[why, params, data]: FailureArguments) {
    const sent: SentReason = typeof why === "string" ? { reason: why, params } : why;
    super(typeof why === "object" && "message" in why ? why.message : englishReason(sent.reason, sent.params));
    this.name = "Failure";
    this.code = code;
    this.status = failures[code].status;
    this.reason = sent.reason;
    this.params = sent.params && Object.keys(sent.params).length > 0 ? sent.params : undefined;
    this.data = data;
  }

  body(): FailureBody {
    const { status, error } = failures[this.code];
    const { code, message, data, reason = "something_wrong" } = this;
    return {
      status,
      error,
      code,
      reason,
      ...(this.params ? { params: this.params } : {}),
      message,
      ...(data ? { data } : {}),
    };
  }

  /** The fields of the failure in an event or a stored record. */
  toEventFields(): { code: FailureCode; message: string } & ReasonRef {
    return { code: this.code, message: this.message, ...this.ref() };
  }

  /** Its reason without the English text, for records that have the text in a field of another name. */
  ref(): ReasonRef {
    const { reason, params } = this;
    return { ...(reason === undefined ? {} : { reason }), ...(params ? { params } : {}) };
  }
}
