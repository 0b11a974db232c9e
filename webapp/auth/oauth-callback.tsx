import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { finishOAuthSignIn, type OAuthCallbackParams } from "./oauth.ts";

/** Sends the provider's callback parameters to the server, once, and continues where the sign-in started. */
export function OAuthSignInCallback({ params }: { params: OAuthCallbackParams }) {
  const router = useRouter();
  const [error, setError] = useState<string>();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void finishOAuthSignIn(params).then((outcome) => {
      if ("fault" in outcome) return setError(outcome.fault);
      return router.navigate({ href: outcome.to, replace: true });
    });
  }, [params, router]);

  if (error === undefined) return <Skeleton label={t("auth.oauth_working")} lines={[60, 90]} />;
  return (
    <>
      <h1>{t("auth.oauth_failed")}</h1>
      <p className="centered-refusal" role="alert">
        {error}
      </p>
      <p className="centered-form">
        <Link className="button button-primary button-l" to={screenPath("login", {})}>
          {t("auth.back_to_sign_in")}
        </Link>
      </p>
    </>
  );
}
