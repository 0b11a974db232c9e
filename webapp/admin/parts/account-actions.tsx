import { type FormEvent, useState } from "react";
import type { AccountDetails } from "#shared/admin/accounts-contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { PlanType } from "#shared/user/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatCalendarDate } from "#webapp/app/format/format-date.ts";
import { planName } from "../plain-names.ts";

interface Props {
  account: AccountDetails;
  onChanged: () => void;
}

const toDay = (at: number | null) => (at === null ? "" : new Date(at).toISOString().slice(0, 10));

/** Runs an action, and stores its name while it is pending and its message if it fails. */
function useAction(onChanged: () => void) {
  const [pending, setPending] = useState<string | null>(null);
  const [error, setError] = useState<string | undefined>(undefined);
  const run = async (name: string, action: () => Promise<string>) => {
    setPending(name);
    setError(undefined);
    try {
      notify({ type: "success", message: await action() });
      onChanged();
    } catch (failure) {
      setError(toFailureMessage(failure)?.message ?? t("admin.change_failed"));
    }
    setPending(null);
  };
  return { pending, error, run };
}

/** Sets the plan that an account has without paying for it, and the last day of that plan. */
export function AccountPlan({ account, onChanged }: Props) {
  const { _id: id, name, granted, grantedUntil, hasSubscription } = account;
  const [type, setType] = useState(granted);
  const [until, setUntil] = useState(toDay(grantedUntil));
  const { pending, error, run } = useAction(onChanged);
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run("plan", async () => {
      const { plan } = await adminClient.setAccountPlan({ id, type, until: until === "" ? null : until });
      return t("accountActions.plan_done", { name, plan: planName(plan) });
    });
  };
  return (
    <form className="admin-section" onSubmit={save}>
      <h3>{t("accountActions.plan_title")}</h3>
      <p>{t("accountActions.plan_text")}</p>
      {hasSubscription && <p>{t("accountActions.plan_subscription")}</p>}
      <div className="admin-fields">
        <Select
          label={t("accountActions.plan_type")}
          value={type}
          options={PlanType.options.map((value) => ({ value, label: planName(value) }))}
          onValue={setType}
        />
        <TextField
          label={t("accountActions.plan_until")}
          type="date"
          value={until}
          error={error}
          onChange={(event) => setUntil(event.target.value)}
        />
      </div>
      <Button type="submit" pending={pending !== null}>
        {t("accountActions.plan_set")}
      </Button>
    </form>
  );
}

/** Disables, deletes, enables or restores an account. The first two require the administrator's own password. */
export function AccountAccess({ account, onChanged }: Props) {
  const { _id: id, name, isAdmin, disabledAt, deleteAt } = account;
  const { pending, error, run } = useAction(onChanged);
  const enable = () =>
    run("enable", async () => {
      await adminClient.enableAccount({ id });
      return t("accountActions.enable_done", { name });
    });
  const restore = () =>
    run("restore", async () => {
      await adminClient.restoreAccount({ id });
      return t("accountActions.restore_done", { name });
    });
  return (
    <section className="admin-section">
      <h3>{t("accountActions.access_title")}</h3>
      {disabledAt !== null && (
        <div className="admin-actions">
          <p className="admin-bad">{t("accountActions.disabled_since", { date: formatCalendarDate(disabledAt) })}</p>
          <Button pending={pending === "enable"} onClick={() => void enable()}>
            {t("accountActions.enable")}
          </Button>
        </div>
      )}
      {deleteAt !== null && (
        <div className="admin-actions">
          <p className="admin-bad">{t("admin.account_deleted_on", { date: formatCalendarDate(deleteAt) })}</p>
          <Button pending={pending === "restore"} onClick={() => void restore()}>
            {t("accountActions.restore")}
          </Button>
        </div>
      )}
      {isAdmin ? (
        <AdminRights account={account} pending={pending} error={error} run={run} />
      ) : (
        <DangerousActions account={account} pending={pending} error={error} run={run} />
      )}
    </section>
  );
}

type ActionProps = { account: AccountDetails } & ReturnType<typeof useAction>;

/** Removes another administrator's rights. Only then can that account be disabled or deleted. */
function AdminRights({ account, pending, error, run }: ActionProps) {
  const { _id: id, name, isSelf, isAdminBySetting } = account;
  const [password, setPassword] = useState("");
  if (isSelf) return <p>{t("accountActions.protected_self")}</p>;
  if (isAdminBySetting) return <p>{t("accountActions.protected_setting")}</p>;
  const demote = () =>
    run("demote", async () => {
      await adminClient.demoteAdmin({ id, password });
      return t("accountActions.demote_done", { name });
    });
  return (
    <>
      <p>{t("accountActions.protected")}</p>
      <OwnPassword value={password} error={error} onValue={setPassword} />
      <Button variant="danger" pending={pending === "demote"} onClick={() => void demote()}>
        {t("accountActions.demote")}
      </Button>
    </>
  );
}

interface PasswordProps {
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
}

const OwnPassword = ({ value, error, onValue }: PasswordProps) => (
  <TextField
    label={t("accountActions.own_password")}
    type="password"
    autoComplete="current-password"
    value={value}
    error={error}
    onChange={(event) => onValue(event.target.value)}
  />
);

function DangerousActions({ account: { _id: id, name, disabledAt, deleteAt }, pending, error, run }: ActionProps) {
  const [password, setPassword] = useState("");
  const disable = () =>
    run("disable", async () => {
      await adminClient.disableAccount({ id, password });
      setPassword("");
      return t("accountActions.disable_done", { name });
    });
  const remove = () =>
    run("delete", async () => {
      const { deleteAt: date } = await adminClient.removeAccount({ id, password });
      setPassword("");
      return t("accountActions.delete_done", { name, date: formatCalendarDate(date) });
    });
  if (disabledAt !== null && deleteAt !== null) return null;
  return (
    <>
      {disabledAt === null && <p>{t("accountActions.disable_text")}</p>}
      {deleteAt === null && <p>{t("accountActions.delete_text")}</p>}
      <OwnPassword value={password} error={error} onValue={setPassword} />
      <div className="admin-actions">
        {disabledAt === null && (
          <Button variant="danger" pending={pending === "disable"} onClick={() => void disable()}>
            {t("accountActions.disable")}
          </Button>
        )}
        {deleteAt === null && (
          <Button variant="danger" pending={pending === "delete"} onClick={() => void remove()}>
            {t("accountActions.delete")}
          </Button>
        )}
      </div>
    </>
  );
}
