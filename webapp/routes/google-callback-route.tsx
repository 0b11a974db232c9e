import { useSearch } from "@tanstack/react-router";
import { isSignInState } from "#webapp/auth/oauth.ts";
import { OAuthSignInCallback } from "#webapp/auth/oauth-callback.tsx";
import { DriveCallback } from "#webapp/connections/drive-callback.tsx";

const toText = (value: unknown) => (typeof value === "string" ? value : "");

/** The OAuth callback of signing in, and of connecting Google Drive or Google Calendar. */
export function GoogleCallbackRoute() {
  const { code, state, error }: Record<string, unknown> = useSearch({ strict: false });
  if (isSignInState(state)) return <OAuthSignInCallback params={{ code, state, error }} />;
  return <DriveCallback code={toText(code)} state={toText(state)} isDenied={error !== undefined} />;
}
