import { useCallback, useState } from "react";
import type { AdminAccount } from "#shared/admin/accounts-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { Invites } from "#webapp/user/parts/settings/invites.tsx";
import { AdminFrame, LoadError, useDebounced } from "./admin-frame.tsx";
import { AccountDialog } from "./parts/account-dialog.tsx";
import { CsvButton } from "./parts/csv-button.tsx";
import { useList } from "./use-list.ts";

/** `/admin/user`: find an account, see its figures, sign it out, make a link for a new password. */
export function AccountsScreen() {
  const [query, setQuery] = useState("");
  return (
    <AdminFrame
      tab="adminUser"
      actions={<CsvButton name="accounts" read={() => adminClient.exportAccounts({ q: query.trim() })} />}
    >
      <TextField
        label={t("admin.search_accounts")}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <AccountList query={useDebounced(query.trim())} />
      <section className="admin-section">
        <h2>{t("account.invites")}</h2>
        <Invites />
      </section>
    </AdminFrame>
  );
}

function AccountList({ query }: { query: string }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const read = useCallback(
    async (after: string | undefined) => {
      const { accounts, next } = await adminClient.listAccounts({ q: query, ...(after !== undefined && { after }) });
      return { items: accounts, next };
    },
    [query],
  );
  const { list, reload, loadMore } = useList(read);
  if (list.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={32} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  if (list.items.length === 0)
    return <EmptyState title={t("admin.accounts_none")}>{t("admin.accounts_none_text")}</EmptyState>;
  return (
    <>
      <AccountTable accounts={list.items} onOpen={setOpenId} />
      {list.next !== null && (
        <Button variant="quiet" pending={list.isLoadingMore} onClick={() => void loadMore()}>
          {t("admin.load_more")}
        </Button>
      )}
      {openId !== null && <AccountDialog id={openId} onClose={() => setOpenId(null)} />}
    </>
  );
}

interface TableProps {
  accounts: readonly AdminAccount[];
  onOpen: (id: string) => void;
}

function AccountTable({ accounts, onOpen }: TableProps) {
  const now = useNow();
  return (
    <div className="admin-table-frame" role="group" tabIndex={0} aria-label={t("admin.accounts")}>
      <table className="admin-table admin-stacked">
        <thead>
          <tr>
            <th scope="col">{t("admin.account_name")}</th>
            <th scope="col">{t("admin.account_email")}</th>
            <th scope="col">{t("admin.account_plan")}</th>
            <th scope="col">{t("admin.account_since")}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ _id, name, email, plan, createdAt, isAdmin, deleteAt, disabledAt }) => (
            <tr key={_id}>
              <th scope="row">
                <button
                  type="button"
                  className="admin-link"
                  aria-label={t("admin.account_open", { name: `${name} (${email})` })}
                  onClick={() => onOpen(_id)}
                >
                  {name}
                </button>{" "}
                {isAdmin && <Chip>{t("admin.account_admin")}</Chip>}
                {disabledAt !== null && <Chip>{t("accountActions.disabled")}</Chip>}
              </th>
              <td data-label={t("admin.account_email")}>{email}</td>
              <td data-label={t("admin.account_plan")}>{plan}</td>
              <td data-label={t("admin.account_since")}>
                {formatRelativeDate(createdAt, now)}
                {deleteAt !== null && (
                  <p className="admin-bad">
                    {t("admin.account_deleted_on", { date: new Date(deleteAt).toLocaleDateString() })}
                  </p>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
