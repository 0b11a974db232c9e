import type { AdminAccess } from "#shared/admin/access-log-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";

const readAccesses = async () => (await adminClient.listAccesses({})).accesses;

/** Lists each time when an administrator read content of the student. */
export function AccessLog() {
  const { answer, retry } = useAsyncValue(readAccesses);
  if (answer.state === "loading") return <Skeleton label={t("common.loading")} />;
  if (answer.state === "failed")
    return (
      <p className="settings-row">
        {t("accessLog.failed")}
        <Button onClick={retry}>{t("common.retry")}</Button>
      </p>
    );
  if (answer.value.length === 0) return <p>{t("accessLog.none")}</p>;
  return <AccessList accesses={answer.value} />;
}

function AccessList({ accesses }: { accesses: readonly AdminAccess[] }) {
  const now = useNow();
  return (
    <ul role="list" className="settings-list">
      {accesses.map(({ _id, at, kind, adminEmail }) => (
        <li key={_id} className="settings-line">
          {t(`accessLog.${kind}`, { admin: adminEmail })} · {formatRelativeDate(at, now)}
        </li>
      ))}
    </ul>
  );
}
