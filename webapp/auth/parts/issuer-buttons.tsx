import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { Entry } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { setOut, type Issuer } from "../oauth.ts";

/** Sign-in buttons for the configured OAuth providers. */
export function IssuerButtons({ entry }: { entry: Entry | undefined }) {
  const router = useRouter();
  const [fault, setFault] = useState<string>();
  const [leaving, setLeaving] = useState<Issuer>();
  if (!entry?.google && !entry?.apple) return null;
  const leave = async (issuer: Issuer) => {
    setLeaving(issuer);
    const { from } = router.state.location.search as { from?: unknown };
    const refused = await setOut(issuer, from);
    setFault(refused);
    if (refused !== undefined) setLeaving(undefined);
  };
  return (
    <div className="centered-issuers">
      <p className="centered-or">{t("auth.or")}</p>
      {fault !== undefined && (
        <p className="centered-refusal" role="alert">
          {fault}
        </p>
      )}
      {entry.google && (
        <Button size="l" pending={leaving === "google"} onClick={() => void leave("google")}>
          {t("auth.by_google")}
        </Button>
      )}
      {entry.apple && (
        <Button size="l" pending={leaving === "apple"} onClick={() => void leave("apple")}>
          {t("auth.by_apple")}
        </Button>
      )}
    </div>
  );
}
