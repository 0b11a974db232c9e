import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { MAX_CACHE_AGE_DAYS, MAX_CACHED_PAGES } from "#shared/sync/storage/local-store.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import {
  requestPersistence,
  clearOfflineStorage,
  offlineStorageAtom,
  loadOfflineStorage,
} from "../../offline-storage-state.ts";

/** Shows what is stored in this browser and why, with a button to delete it. */
export function OfflineStorageSettings({ accountId }: { accountId: string }) {
  const storage = useAtomValue(offlineStorageAtom);
  useEffect(() => void loadOfflineStorage(accountId), [accountId]);
  if (storage === undefined) return null;
  if (storage === null) return <p>{t("account.offline_unavailable")}</p>;
  const clear = async () => {
    await clearOfflineStorage(accountId);
    notify({ message: t("account.offline_cleared"), type: "success" });
  };
  return (
    <>
      <p className="settings-note">{t("account.offline_text")}</p>
      <p className="settings-note">{t("account.offline_age", { pages: MAX_CACHED_PAGES, days: MAX_CACHE_AGE_DAYS })}</p>
      <p>
        {t("account.offline_pages", { count: storage.pages })},{" "}
        {t("account.offline_size", { used: formatSize(storage.usedBytes), quota: formatSize(storage.quotaBytes) })}.{" "}
        {t(storage.isPersisted ? "account.offline_persistent" : "account.offline_evictable")}
      </p>
      <div className="settings-row">
        {!storage.isPersisted && (
          <Button onClick={() => void requestPersistence(accountId)}>{t("account.offline_persist")}</Button>
        )}
        {storage.pages > 0 && (
          <Button variant="quiet" onClick={() => void clear()}>
            {t("account.offline_clear")}
          </Button>
        )}
      </div>
    </>
  );
}
