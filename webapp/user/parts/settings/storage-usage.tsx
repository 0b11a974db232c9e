import { useCallback, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { StorageUsage } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Meter } from "#shared/ui/meter.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";

/** The space that the account's files take, and a button that frees the space of deleted files. */
export function StorageUsageRow() {
  const load = useCallback(() => client.user.getStorage({}), []);
  const { answer, setReady: setStorage } = useAsyncValue(load);
  const storage = answer.state === "ready" ? answer.value : undefined;
  return (
    <>
      <dt>{t("user.storage")}</dt>
      <dd>{storage ? <Figures storage={storage} onChange={setStorage} /> : "–"}</dd>
    </>
  );
}

function Figures({ storage, onChange }: { storage: StorageUsage; onChange: (storage: StorageUsage) => void }) {
  const [isErasing, setErasing] = useState(false);
  const { usedBytes, limitBytes, deletedBytes } = storage;
  const text = t("user.usage_of", { used: formatSize(usedBytes), limit: formatSize(limitBytes) });
  const eraseDeleted = async () => {
    setErasing(true);
    try {
      onChange(await client.user.eraseDeletedFiles({}));
    } catch {
      notify({ type: "error", message: t("user.storage_erase_failed") });
    }
    setErasing(false);
  };
  return (
    <>
      {text}
      <Meter label={t("user.storage")} value={usedBytes} max={limitBytes} valueText={text} />
      {deletedBytes > 0 && (
        <>
          <p className="settings-note">{t("user.storage_deleted", { size: formatSize(deletedBytes) })}</p>
          <Button pending={isErasing} onClick={() => void eraseDeleted()}>
            {t("user.storage_erase")}
          </Button>
        </>
      )}
    </>
  );
}
