import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { User } from "#shared/user/schema.ts";

const Email = z.string().trim().max(254).pipe(z.email());
const SignedIn = z.object({ user: User, token: z.string() });

export const MIN_PASSWORD_LENGTH = 8;

export const auth = {
  register: json({
    method: "POST",
    path: "/v1/auth/register",
    access: "public",
    rate: "sign_in",
    summary: "Make an account and sign in",
    input: z.object({
      name: z.string().trim().min(1).max(120),
      email: Email,
      password: z.string().min(MIN_PASSWORD_LENGTH).max(1000),
      timezone: z.string().max(64).optional(),
      referralCode: z.string().max(120).optional(),
    }),
    output: SignedIn,
    fails: ["bad_input", "already_exists", "registration_closed"],
  }),
  login: json({
    method: "POST",
    path: "/v1/auth/login",
    access: "public",
    rate: "sign_in",
    summary: "Sign in with address and password",
    input: z.object({ email: Email, password: z.string().min(1).max(1000) }),
    output: SignedIn,
    fails: ["wrong_credentials", "too_many_requests"],
  }),
  logout: json({
    method: "POST",
    path: "/v1/auth/logout",
    access: "user",
    summary: "Revoke the token that the call carries, and the temp tokens drawn from it",
    input: z.object({}),
    output: z.object({ success: z.literal(true) }),
    fails: [],
  }),
  refresh: json({
    method: "POST",
    path: "/v1/auth/refresh",
    access: "user",
    summary: "A new session token; the old one lives for 60 s more",
    input: z.object({}),
    output: z.object({ token: z.string() }),
    fails: [],
  }),
  getUser: json({
    method: "GET",
    path: "/v1/auth/get_user",
    access: "user",
    summary: "The signed-in user and a token of 24 hours for streams, sockets and sync",
    input: z.object({}),
    output: z.object({ user: User, organization: z.null(), tempToken: z.string() }),
    fails: [],
  }),
};
