import { useCallback, useState } from "react";
import type { AdminAccount } from "#shared/admin/accounts-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatCalendarDate, formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { Invites } from "#webapp/user/parts/settings/invites.tsx";
import { AdminFrame, LoadError, useDebounced } from "./admin-frame.tsx";
import { AccountDialog } from "./parts/account-dialog.tsx";
import { planName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { type Column, StackedTable } from "./lists/stacked-table.tsx";
import { useList } from "./lists/use-list.ts";

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
  const now = useNow();
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
      <StackedTable
        label={t("admin.accounts")}
        columns={columnsOf(now, setOpenId)}
        items={list.items}
        keyOf={({ _id }) => _id}
      />
      {list.next !== null && (
        <Button variant="quiet" pending={list.isLoadingMore} onClick={() => void loadMore()}>
          {t("admin.load_more")}
        </Button>
      )}
      {openId !== null && <AccountDialog id={openId} onClose={() => setOpenId(null)} />}
    </>
  );
}

const columnsOf = (now: number, onOpen: (id: string) => void): Column<AdminAccount>[] => [
  { title: t("admin.account_name"), cell: (account) => <AccountName account={account} onOpen={onOpen} /> },
  { title: t("admin.account_email"), cell: ({ email }) => email },
  { title: t("admin.account_plan"), cell: ({ plan }) => planName(plan) },
  {
    title: t("admin.account_since"),
    cell: ({ createdAt, deleteAt }) => (
      <>
        {formatRelativeDate(createdAt, now)}
        {deleteAt !== null && (
          <p className="admin-bad">{t("admin.account_deleted_on", { date: formatCalendarDate(deleteAt) })}</p>
        )}
      </>
    ),
  },
];

interface NameProps {
  account: AdminAccount;
  onOpen: (id: string) => void;
}

const AccountName = ({ account: { _id, name, email, isAdmin, disabledAt }, onOpen }: NameProps) => (
  <>
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
  </>
);
