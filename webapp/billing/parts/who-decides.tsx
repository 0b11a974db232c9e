import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { closeOverlay } from "#webapp/app/overlays.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import "./payments-not-set.css";

/** Why nothing can be bought here, and how the operator gives somebody a plan. */
export function PaymentsNotSet() {
  const user = useAtomValue(userAtom);
  return (
    <div className="payments-not-set">
      <p>
        <b>{t("billing.not_configured_title")}.</b> {t("billing.not_configured")}
      </p>
      {user?.isAdmin && (
        <>
          <p>
            <Link to={screenPath("adminUser", {})} onClick={closeOverlay}>
              {t("billing.operator_accounts")}
            </Link>
          </p>
          <p>{t("billing.operator_command")}</p>
          <code>npm run plan -- {user.email} PLUS 2027-06-30</code>
        </>
      )}
    </div>
  );
}
