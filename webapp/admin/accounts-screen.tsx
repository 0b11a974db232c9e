import { useCallback, useState } from "react";
import type { AdminAccount } from "#shared/admin/accounts-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatCalendarDate, formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame, useDebounced } from "./admin-frame.tsx";
import { AccountDialog } from "./parts/account-dialog.tsx";
import { Invites } from "./parts/invites.tsx";
import { planName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";

/** `/admin/user`: finds accounts, and opens a dialog with the figures and actions of one account. */
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
      <Invites />
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
  return (
    <>
      <PagedTable
        label={t("admin.accounts")}
        columns={columnsOf(now, setOpenId)}
        read={read}
        empty={{ title: t("admin.accounts_none"), text: t("admin.accounts_none_text") }}
      />
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
