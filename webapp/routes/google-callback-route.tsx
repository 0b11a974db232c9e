import { useSearch } from "@tanstack/react-router";
import { isSignIn } from "#webapp/auth/oauth.ts";
import { SignInReturn } from "#webapp/auth/sign-in-return.tsx";
import { DriveReturn } from "#webapp/connections/drive-return.tsx";

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The OAuth callback of sign-in and of connecting Google Drive. */
export function GoogleCallbackRoute() {
  const { code, state, error }: Record<string, unknown> = useSearch({ strict: false });
  if (isSignIn(state)) return <SignInReturn came={{ code, state, error }} />;
  return <DriveReturn code={textOf(code)} state={textOf(state)} isRefused={error !== undefined} />;
}
