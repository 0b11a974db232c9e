import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { renew } from "#webapp/app/session/session.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { confirmAddress, takeLinkToken } from "./recovery.ts";

export function VerifyScreen() {
  const [token] = useState(takeLinkToken);
  const [verification, setVerification] = useState<Awaited<ReturnType<typeof confirmAddress>>>();
  const started = useRef(false);
  useEffect(() => {
    // A link can be used only once, so a second effect run must not send it again.
    if (token === undefined || started.current) return;
    started.current = true;
    const confirm = async () => {
      const outcome = await confirmAddress(token);
      setVerification(outcome);
      if ("email" in outcome && readToken() !== undefined) await renew();
    };
    void confirm();
  }, [token]);

  if (token !== undefined && verification === undefined)
    return <Skeleton label={t("auth.verify_checking")} lines={[60, 90]} />;
  const isConfirmed = verification !== undefined && "email" in verification;
  return (
    <div role="status">
      <h1>{t(isConfirmed ? "auth.verified" : "auth.verify_failed")}</h1>
      <p className="centered-text">
        {isConfirmed
          ? t("auth.verified_text", { email: verification.email })
          : (verification?.fault ?? t("auth.link_missing"))}
      </p>
      <p className="centered-form">
        <Link
          className="button button-primary button-l"
          to={screenPath(readToken() === undefined ? "login" : "home", {})}
        >
          {t(readToken() === undefined ? "auth.sign_in" : "auth.continue")}
        </Link>
      </p>
    </div>
  );
}
