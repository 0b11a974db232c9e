import { z } from "zod";

/** Every failure code, with its HTTP status and the short name sent as `error`. */
export const failures = {
  bad_input: { status: 400, error: "Bad Request" },
  invalid_file: { status: 400, error: "Invalid file" },
  invalid_pdf: { status: 400, error: "Invalid PDF file" },
  unsupported_file_type: { status: 400, error: "Unsupported file type" },
  signed_out: { status: 401, error: "Unauthorized" },
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
  storage_full: { status: 507, error: "Storage full" },
} as const;

export type FailureCode = keyof typeof failures;

const codes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

/** The response body of a failed call. */
export const FailureBody = z.object({
  status: z.int(),
  error: z.string(),
  code: z.enum(codes),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type FailureBody = z.infer<typeof FailureBody>;

/** The only error that crosses the wire: `message` is for people, `data` for the screen that handles the code. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: FailureCode, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.status = failures[code].status;
    this.data = data;
  }

  body(): FailureBody {
    const { status, error } = failures[this.code];
    return { status, error, code: this.code, message: this.message, ...(this.data ? { data: this.data } : {}) };
  }
}
