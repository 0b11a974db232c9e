import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { copyLink, loadReferral, referralAtom } from "../../account-state.ts";

/** The user's referral link and the number of referred users. */
export function Referral() {
  const referral = useAtomValue(referralAtom);
  useEffect(() => void loadReferral(), []);
  if (!referral) return null;
  return (
    <div className="settings-line">
      <p>{t("account.referral_text", { count: referral.credited })}</p>
      <Button onClick={() => void copyLink(referral.link)}>{t("account.copy_link")}</Button>
    </div>
  );
}
