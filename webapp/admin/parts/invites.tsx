import { type FormEvent, useCallback, useMemo, useState } from "react";
import { type Invite, INVITE_STATES, type InviteState, shortInviteCode } from "#shared/auth/contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { formatCalendarDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { useDebounced } from "../admin-frame.tsx";
import { CsvButton } from "../lists/csv-button.tsx";
import { ListFrame } from "../lists/list-frame.tsx";
import { useList } from "../lists/use-list.ts";

const stateNames: Readonly<Record<InviteState | "all", string>> = {
  all: t("figures.all"),
  open: t("admin.invite_open"),
  used: t("account.invite_used"),
  expired: t("account.invite_expired"),
};

/** Shortens a pasted code, since a whole one must not be in a URL. */
const toSearch = (words: string) => (/^[\w-]{22}$/u.test(words) ? shortInviteCode(words) : words);

/** Runs a change and shows the reason if it fails. */
async function change(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (failure) {
    notify({ type: "error", message: toFailureMessage(failure)?.message ?? t("admin.change_failed") });
  }
}

/** Creates and lists invitation links, with which people can register. */
export function Invites() {
  const [query, setQuery] = useState("");
  const [state, setState] = useState<InviteState | "all">("all");
  const q = useDebounced(toSearch(query.trim()));
  const filter = useMemo(() => ({ q, ...(state !== "all" && { state }) }), [q, state]);
  const read = useCallback(
    async (after: string | undefined) => {
      const { invites, next } = await client.auth.listInvites({
        ...filter,
        ...(after !== undefined && { after }),
      });
      return { items: invites.map((invite) => ({ ...invite, _id: invite.id })), next };
    },
    [filter],
  );
  const loaded = useList(read);
  return (
    <section id="invites" className="admin-section">
      <div className="admin-header">
        <h2>{t("account.invites")}</h2>
        <CsvButton name="invitations" read={() => adminClient.exportInvites(filter)} />
      </div>
      <p>{t("account.invites_text")}</p>
      <NewInvite onMade={loaded.reload} />
      <div className="admin-filters">
        <TextField
          label={t("admin.invites_search")}
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Segmented
          label={t("admin.feedback_state")}
          value={state}
          options={(["all", ...INVITE_STATES] as const).map((value) => ({ value, label: stateNames[value] }))}
          onValue={setState}
        />
      </div>
      <ListFrame
        label={t("account.invites")}
        loaded={loaded}
        empty={{ title: t("admin.invites_none"), text: t("admin.invites_none_text") }}
      >
        {(invites) => (
          <ul role="list" className="admin-rows">
            {invites.map((invite) => (
              <InviteRow key={invite.id} invite={invite} onRemoved={loaded.reload} />
            ))}
          </ul>
        )}
      </ListFrame>
    </section>
  );
}

function NewInvite({ onMade }: { onMade: () => Promise<void> }) {
  const [email, setEmail] = useState("");
  const [isPending, setPending] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    await change(async () => {
      const to = email.trim();
      const { mailed } = await client.auth.createInvite(to === "" ? {} : { email: to });
      setEmail("");
      if (mailed) notify({ message: t("account.invite_mailed"), type: "success" });
      else if (to !== "") notify({ message: t("account.invite_unmailed"), type: "info" });
      await onMade();
    });
    setPending(false);
  };
  return (
    <form className="admin-filters" onSubmit={(event) => void create(event)}>
      <TextField
        label={t("account.invite_email")}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" pending={isPending}>
        {t("account.invite_make")}
      </Button>
    </form>
  );
}

function InviteRow({ invite, onRemoved }: { invite: Invite; onRemoved: () => Promise<void> }) {
  const now = useNow();
  const { id, email, link, createdAt, expiresAt, isUsed } = invite;
  const isOpen = !isUsed && expiresAt > now;
  const code = shortInviteCode(id);
  const name = email ?? code;
  const copy = () =>
    change(async () => {
      await navigator.clipboard.writeText(link);
      notify({ message: t("account.invite_copied"), type: "success" });
    });
  const remove = () =>
    change(async () => {
      await client.auth.removeInvite({ id });
      await onRemoved();
    });
  return (
    <li>
      <div>
        <strong className="admin-words">{email ?? link}</strong>
        <p className="admin-quiet">
          <code>{code}</code> · {stateNames[isUsed ? "used" : isOpen ? "open" : "expired"]} ·{" "}
          {t("admin.invite_dates", { made: formatCalendarDate(createdAt), ends: formatCalendarDate(expiresAt) })}
        </p>
      </div>
      <div className="admin-actions">
        {isOpen && (
          <Button variant="quiet" aria-label={t("admin.invite_copy_of", { name })} onClick={() => void copy()}>
            {t("account.invite_copy")}
          </Button>
        )}
        <Button variant="quiet" aria-label={t("admin.invite_remove_of", { name })} onClick={() => void remove()}>
          {t("account.invite_remove")}
        </Button>
      </div>
    </li>
  );
}
