import { type FormEvent, useCallback, useState } from "react";
import type { AccountDetails } from "#shared/admin/accounts-contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { LoadError } from "../admin-frame.tsx";
import { planName } from "../plain-names.ts";
import { AccountAccess, AccountPlan } from "./account-actions.tsx";
import { BillingNotes } from "./billing-notes.tsx";
import { FactList } from "./fact-list.tsx";

/** The figures of an account, and the actions that an administrator can take on it. */
export function AccountDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCallback(async () => (await adminClient.getAccount({ id })).account, [id]);
  const { answer, retry } = useAsyncValue(read);
  const title = answer.state === "ready" ? answer.value.name : t("common.loading");
  return (
    <Dialog open title={title} onClose={onClose} closeLabel={t("common.close")}>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 80, 60]} height={20} />}
      {answer.state === "failed" && <LoadError error={answer.error} onRetry={retry} />}
      {answer.state === "ready" && <Account account={answer.value} onChanged={retry} />}
    </Dialog>
  );
}

function Account({ account, onChanged }: { account: AccountDetails; onChanged: () => void }) {
  const now = useNow();
  const { lastSeenAt, emailVerified, usedBytes, limitBytes, usedToday } = account;
  const facts = [
    [t("admin.account_email"), account.email],
    [t("figures.filter_account"), account._id],
    [t("admin.account_address"), t(emailVerified ? "admin.account_verified" : "admin.account_unverified")],
    [t("admin.account_plan"), planName(account.plan)],
    [t("admin.account_since"), formatRelativeDate(account.createdAt, now)],
    [t("admin.account_seen"), lastSeenAt === null ? t("admin.account_never") : formatRelativeDate(lastSeenAt, now)],
    [t("admin.account_sessions"), String(account.sessions)],
    [
      t("admin.files"),
      t("admin.account_used", { used: usedBytes === 0 ? "0" : formatSize(usedBytes), limit: formatSize(limitBytes) }),
    ],
    [
      t("admin.account_today"),
      usedToday
        .filter(({ count }) => count > 0)
        .map(({ counter, count }) => `${t(`admin.used_${counter}`)} ${formatNumber(count)}`)
        .join(", ") || "–",
    ],
  ] as const;
  return (
    <>
      <FactList facts={facts} />
      <BillingNotes userId={account._id} />
      <SignOut account={account} onDone={onChanged} />
      <ResetPassword account={account} />
      <AccountPlan account={account} onChanged={onChanged} />
      <AccountAccess account={account} onChanged={onChanged} />
    </>
  );
}

function SignOut({ account: { _id: id, name }, onDone }: { account: AccountDetails; onDone: () => void }) {
  const [isPending, setPending] = useState(false);
  const signOut = async () => {
    setPending(true);
    try {
      await adminClient.signOutAccount({ id });
      notify({ type: "success", message: t("admin.sign_out_done", { name }) });
      onDone();
    } catch {
      notify({ type: "error", message: t("admin.change_failed") });
    }
    setPending(false);
  };
  return (
    <section className="admin-section">
      <h3>{t("admin.sign_out")}</h3>
      <p>{t("admin.sign_out_text")}</p>
      <Button pending={isPending} onClick={() => void signOut()}>
        {t("admin.sign_out")}
      </Button>
    </section>
  );
}

type Result =
  | { state: "idle" | "pending" | "sent" }
  | { state: "link"; link: string }
  | { state: "error"; text: string };

function ResetPassword({ account: { _id: id, email } }: { account: AccountDetails }) {
  const [password, setPassword] = useState("");
  const [result, setResult] = useState<Result>({ state: "idle" });
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setResult({ state: "pending" });
    try {
      const { link } = await adminClient.makeResetLink({ id, password });
      setPassword("");
      setResult(link === null ? { state: "sent" } : { state: "link", link });
    } catch (error) {
      setResult({ state: "error", text: toFailureMessage(error)?.message ?? t("admin.change_failed") });
    }
  };
  return (
    <form className="admin-section" onSubmit={(event) => void create(event)}>
      <h3>{t("admin.reset")}</h3>
      <p>{t("admin.reset_text")}</p>
      <TextField
        label={t("admin.reset_password")}
        type="password"
        autoComplete="current-password"
        value={password}
        error={result.state === "error" ? result.text : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" pending={result.state === "pending"}>
        {t("admin.reset_make")}
      </Button>
      {result.state === "sent" && <p role="status">{t("admin.reset_sent", { email })}</p>}
      {result.state === "link" && <TextField label={t("admin.reset_link")} value={result.link} readOnly />}
    </form>
  );
}
