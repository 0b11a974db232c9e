import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { SignInOptions } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { startOAuthSignIn, type OAuthProvider } from "../oauth.ts";

/** Sign-in buttons for the configured OAuth providers. */
export function OAuthButtons({ entry }: { entry: SignInOptions | undefined }) {
  const router = useRouter();
  const [error, setError] = useState<string>();
  const [pendingProvider, setPendingProvider] = useState<OAuthProvider>();
  if (!entry?.google && !entry?.apple) return null;
  const start = async (provider: OAuthProvider) => {
    setPendingProvider(provider);
    const { from } = router.state.location.search as { from?: unknown };
    const startError = await startOAuthSignIn(provider, from);
    setError(startError);
    if (startError !== undefined) setPendingProvider(undefined);
  };
  return (
    <div className="centered-issuers">
      <p className="centered-or">{t("auth.or")}</p>
      {error !== undefined && (
        <p className="centered-refusal" role="alert">
          {error}
        </p>
      )}
      {entry.google && (
        <Button size="l" pending={pendingProvider === "google"} onClick={() => void start("google")}>
          {t("auth.continue_with_google")}
        </Button>
      )}
      {entry.apple && (
        <Button size="l" pending={pendingProvider === "apple"} onClick={() => void start("apple")}>
          {t("auth.continue_with_apple")}
        </Button>
      )}
    </div>
  );
}
