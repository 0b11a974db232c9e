import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { signOut } from "#webapp/kit/session.ts";

export function LogoutScreen() {
  const [done, setDone] = useState(false);
  useEffect(() => {
    void signOut().finally(() => setDone(true));
  }, []);
  if (!done) return <Skeleton label={t("auth.signing_out")} lines={[60, 90]} />;
  return (
    <>
      <h1>{t("auth.signed_out")}</h1>
      <p className="centered-text">{t("auth.signed_out_text")}</p>
      <p className="centered-form">
        <Link className="button button-primary button-l" to={screenPath("login", {})}>
          {t("auth.sign_in_again")}
        </Link>
      </p>
    </>
  );
}
