import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { KEPT_DAYS, MAX_KEPT_PAGES } from "#shared/sync/local-store.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { saySize } from "#webapp/app/format/size.ts";
import { askToKeep, forgetKept, keptAtom, lookAtKept } from "../kept-state.ts";

/** What is stored in this browser, why, and how to delete it. */
export function KeptHere({ accountId }: { accountId: string }) {
  const kept = useAtomValue(keptAtom);
  useEffect(() => void lookAtKept(accountId), [accountId]);
  if (kept === undefined) return null;
  if (kept === null) return <p>{t("account.kept_none")}</p>;
  const forget = async () => {
    await forgetKept(accountId);
    notify({ message: t("account.kept_cleared"), type: "success" });
  };
  return (
    <>
      <p className="settings-note">{t("account.kept_text")}</p>
      <p className="settings-note">{t("account.kept_age", { pages: MAX_KEPT_PAGES, days: KEPT_DAYS })}</p>
      <p>
        {t("account.kept_pages", { count: kept.pages })},{" "}
        {t("account.kept_size", { used: saySize(kept.usedBytes), quota: saySize(kept.quotaBytes) })}.{" "}
        {t(kept.isSafe ? "account.kept_safe" : "account.kept_unsafe")}
      </p>
      <div className="settings-row">
        {!kept.isSafe && <Button onClick={() => void askToKeep(accountId)}>{t("account.kept_ask")}</Button>}
        {kept.pages > 0 && (
          <Button variant="quiet" onClick={() => void forget()}>
            {t("account.kept_clear")}
          </Button>
        )}
      </div>
    </>
  );
}
