import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { User } from "#shared/user/schema.ts";

export const Email = z.string().trim().max(254).pipe(z.email());
const SignedIn = z.object({
  user: User,
  token: z.string(),
  /** The account was scheduled for deletion, and this sign-in restored it. */
  restored: z.boolean().optional(),
});

export const MIN_PASSWORD_LENGTH = 8;
const NewPassword = z.string().min(MIN_PASSWORD_LENGTH).max(1000);
/** The account's password; omitted if it has none and the sign-in is recent. */
const AccountPassword = z.string().max(1000).optional();
const Done = z.object({ success: z.literal(true) });

const SignInOptions = z.object({
  registration: z.enum(["open", "invite", "closed"]),
  google: z.boolean(),
  apple: z.boolean(),
  /** If false, only the server's administrator can reset a forgotten password. */
  mail: z.boolean(),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

const SessionInfo = z.object({
  id: z.string(),
  /** Browser and system, derived from the user agent. */
  device: z.string(),
  signedInAt: z.number(),
  lastSeenAt: z.number(),
  isCurrent: z.boolean(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

const Invite = z.object({
  id: z.string(),
  /** The registration screen's address including the code. */
  link: z.string(),
  email: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
  isUsed: z.boolean(),
});
export type Invite = z.infer<typeof Invite>;

export const INVITE_STATES = ["open", "used", "expired"] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** The length of a code's beginning that is enough to find an invitation, but too short to use it. */
export const SHORT_CODE_CHARS = 8;
export const shortInviteCode = (code: string): string => code.slice(0, SHORT_CODE_CHARS);

export const InviteFilter = z.object({
  /**
   * The beginning of an address, or the first `SHORT_CODE_CHARS` characters of a code, which must not be in a URL as a
   * whole.
   */
  q: z.string().trim().max(254).default(""),
  state: z.enum(INVITE_STATES).optional(),
});
export type InviteFilter = z.infer<typeof InviteFilter>;

const startRow = {
  method: "GET",
  access: "public",
  noStore: true,
  rate: "sign_in",
  input: z.object({
    timezone: z.string().max(64).optional(),
    referralCode: z.string().max(120).optional(),
    inviteCode: z.string().max(120).optional(),
  }),
  output: z.object({ authUrl: z.string() }),
  fails: ["not_configured", "unreachable"],
} as const;

const finishRow = {
  method: "POST",
  access: "public",
  noStore: true,
  rate: "sign_in",
  input: z.object({ code: z.string().min(1).max(4000), state: z.string().min(1).max(200) }),
  output: SignedIn,
  fails: [
    "bad_input",
    "not_configured",
    "unreachable",
    "address_unverified",
    "already_exists",
    "registration_closed",
    "forbidden",
  ],
} as const;

export const auth = {
  register: json({
    method: "POST",
    path: "/v1/auth/register",
    access: "public",
    noStore: true,
    rate: "sign_in",
    summary: "Create an account and sign in",
    input: z.object({
      name: z.string().trim().min(1).max(120),
      email: Email,
      password: NewPassword,
      timezone: z.string().max(64).optional(),
      referralCode: z.string().max(120).optional(),
      inviteCode: z.string().max(120).optional(),
    }),
    output: SignedIn,
    fails: ["bad_input", "already_exists", "registration_closed"],
  }),
  login: json({
    method: "POST",
    path: "/v1/auth/login",
    access: "public",
    noStore: true,
    rate: "sign_in",
    summary: "Sign in with address and password",
    input: z.object({ email: Email, password: z.string().min(1).max(1000) }),
    output: SignedIn,
    fails: ["wrong_credentials", "too_many_requests", "forbidden"],
  }),
  logout: json({
    method: "POST",
    path: "/v1/auth/logout",
    access: "user",
    forExtension: true,
    summary: "End the session of the call's token, including every token derived from it",
    input: z.object({}),
    output: Done,
    fails: [],
  }),
  refresh: json({
    method: "POST",
    path: "/v1/auth/refresh",
    access: "user",
    noStore: true,
    summary: "A new session token; the old token can still read for 60 s",
    input: z.object({}),
    output: z.object({ token: z.string() }),
    fails: [],
  }),
  getUser: json({
    method: "GET",
    path: "/v1/auth/get_user",
    access: "user",
    noStore: true,
    forExtension: true,
    summary: "The signed-in user and a token of 24 hours for streams, sockets and sync",
    input: z.object({}),
    output: z.object({ user: User, organization: z.null(), tempToken: z.string() }),
    fails: [],
  }),
  getEntry: json({
    method: "GET",
    path: "/v1/auth/entry",
    access: "public",
    rate: "anonymous",
    summary: "The sign-in methods of this server, and whether it sends mail",
    input: z.object({}),
    output: SignInOptions,
    fails: [],
  }),
  forgotPassword: json({
    method: "POST",
    path: "/v1/auth/forgot_password",
    access: "public",
    rate: "sign_in",
    status: 202,
    summary: "Send a link for a new password if the address has an account; the answer does not reveal whether it has",
    input: z.object({ email: Email }),
    output: z.object({ accepted: z.literal(true) }),
    fails: [],
  }),
  resetPassword: json({
    method: "POST",
    path: "/v1/auth/reset_password",
    access: "public",
    rate: "sign_in",
    summary: "Set a new password with the token of a link, which works once; every session of the account ends",
    input: z.object({ token: z.string().min(1).max(200), password: NewPassword }),
    output: Done,
    fails: ["bad_input", "link_expired"],
  }),
  sendVerification: json({
    method: "POST",
    path: "/v1/auth/send_verification",
    access: "user",
    summary: "Send the link that verifies the caller's address",
    input: z.object({}),
    output: Done,
    fails: ["not_configured", "too_many_requests", "unreachable"],
  }),
  verifyEmail: json({
    method: "POST",
    path: "/v1/auth/verify_email",
    access: "public",
    rate: "sign_in",
    summary: "Verify an address with the token of the link that was sent to it, and make it the account's address",
    input: z.object({ token: z.string().min(1).max(200) }),
    output: z.object({ email: z.string() }),
    fails: ["link_expired", "already_exists"],
  }),
  changePassword: json({
    method: "POST",
    path: "/v1/auth/change_password",
    access: "user",
    rate: "sign_in",
    summary: "Set another password; every other session ends",
    input: z.object({ password: AccountPassword, newPassword: NewPassword }),
    output: Done,
    fails: ["bad_input", "wrong_password", "sign_in_again"],
  }),
  changeEmail: json({
    method: "POST",
    path: "/v1/auth/change_email",
    access: "user",
    rate: "sign_in",
    summary: "Change the address, once the link sent to it is opened, or at once if the server sends no mail",
    input: z.object({ email: Email, password: AccountPassword }),
    output: z.object({ changed: z.boolean(), user: User }),
    fails: ["wrong_password", "sign_in_again", "already_exists", "too_many_requests"],
  }),
  listSessions: json({
    method: "GET",
    path: "/v1/auth/sessions",
    access: "user",
    summary: "The caller's sessions",
    input: z.object({}),
    output: z.object({ sessions: z.array(SessionInfo) }),
    fails: [],
  }),
  removeSession: json({
    method: "DELETE",
    path: "/v1/auth/sessions/:id",
    access: "user",
    summary: "Sign out one of the caller's sessions",
    input: z.object({ id: z.string() }),
    output: Done,
    fails: ["not_found"],
  }),
  removeOtherSessions: json({
    method: "POST",
    path: "/v1/auth/sessions/remove_others",
    access: "user",
    summary: "Sign out all other sessions of the caller",
    input: z.object({}),
    output: z.object({ removed: z.int() }),
    fails: [],
  }),
  startGoogle: json({
    ...startRow,
    path: "/v1/auth/oauth/google",
    summary: "The address where the browser signs in with Google",
  }),
  finishGoogle: json({
    ...finishRow,
    path: "/v1/auth/oauth/google/callback",
    summary: "Finish the sign-in with the code from Google, which works once within ten minutes",
  }),
  startApple: json({
    ...startRow,
    path: "/v1/auth/oauth/apple",
    summary: "The address where the browser signs in with Apple",
  }),
  finishApple: json({
    ...finishRow,
    path: "/v1/auth/oauth/apple/callback",
    summary: "Finish the sign-in with the code from Apple, which works once within ten minutes",
  }),
  createInvite: json({
    method: "POST",
    path: "/v1/auth/invites",
    access: "admin",
    noStore: true,
    summary: "Create an invitation for one account, and mail it if an address is given and the server sends mail",
    input: z.object({ email: Email.optional() }),
    output: z.object({ invite: Invite, mailed: z.boolean() }),
    fails: [],
  }),
  listInvites: json({
    method: "GET",
    path: "/v1/auth/invites",
    access: "admin",
    noStore: true,
    summary:
      "Invitations whose address begins with the query or whose code has it as its first 8 characters, or all invitations, newest first",
    /** `after` is the `next` of the page before. */
    input: InviteFilter.extend({ after: z.string().max(100).optional() }),
    output: z.object({ invites: z.array(Invite), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  removeInvite: json({
    method: "DELETE",
    path: "/v1/auth/invites/:id",
    access: "admin",
    summary: "Revoke an invitation",
    input: z.object({ id: z.string() }),
    output: Done,
    fails: ["not_found"],
  }),
};
