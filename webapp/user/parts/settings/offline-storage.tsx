import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { MAX_CACHE_AGE_DAYS, MAX_CACHED_PAGES } from "#shared/sync/local-store.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import {
  requestPersistence,
  clearOfflineStorage,
  offlineStorageAtom,
  loadOfflineStorage,
} from "../../offline-storage-state.ts";

/** What is stored in this browser, why, and how to delete it. */
export function OfflineStorageSettings({ accountId }: { accountId: string }) {
  const storage = useAtomValue(offlineStorageAtom);
  useEffect(() => void loadOfflineStorage(accountId), [accountId]);
  if (storage === undefined) return null;
  if (storage === null) return <p>{t("account.kept_none")}</p>;
  const clear = async () => {
    await clearOfflineStorage(accountId);
    notify({ message: t("account.kept_cleared"), type: "success" });
  };
  return (
    <>
      <p className="settings-note">{t("account.kept_text")}</p>
      <p className="settings-note">{t("account.kept_age", { pages: MAX_CACHED_PAGES, days: MAX_CACHE_AGE_DAYS })}</p>
      <p>
        {t("account.kept_pages", { count: storage.pages })},{" "}
        {t("account.kept_size", { used: formatSize(storage.usedBytes), quota: formatSize(storage.quotaBytes) })}.{" "}
        {t(storage.isPersisted ? "account.kept_safe" : "account.kept_unsafe")}
      </p>
      <div className="settings-row">
        {!storage.isPersisted && (
          <Button onClick={() => void requestPersistence(accountId)}>{t("account.kept_ask")}</Button>
        )}
        {storage.pages > 0 && (
          <Button variant="quiet" onClick={() => void clear()}>
            {t("account.kept_clear")}
          </Button>
        )}
      </div>
    </>
  );
}
