import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { Invite } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import {
  copyLink,
  invitesAtom,
  loadInvites,
  loadReferral,
  createInvite,
  referralAtom,
  removeInvite,
} from "../../account-state.ts";
import "../../settings-screen.css";

/** For administrators: links that allow registration. */
export function Invites() {
  const invites = useAtomValue(invitesAtom);
  const [email, setEmail] = useState("");
  const now = useNow();
  useEffect(() => void loadInvites(), []);
  const create = async () => {
    if (await createInvite(email)) setEmail("");
    await loadInvites();
  };
  return (
    <>
      <p>{t("account.invites_text")}</p>
      <div className="settings-form">
        <TextField
          label={t("account.invite_email")}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button className="settings-start" onClick={() => void create()}>
          {t("account.invite_make")}
        </Button>
      </div>
      <ul role="list" className="settings-list">
        {invites.map((invite) => (
          <li key={invite.id} className="settings-line">
            <span>
              {invite.email ?? invite.link} <InviteState invite={invite} now={now} />
            </span>
            <div className="settings-row">
              {!invite.isUsed && (
                <Button variant="quiet" onClick={() => void copyLink(invite.link)}>
                  {t("account.invite_copy")}
                </Button>
              )}
              <Button variant="quiet" onClick={() => void removeInvite(invite.id).then(loadInvites)}>
                {t("account.invite_remove")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function InviteState({ invite, now }: { invite: Invite; now: number }) {
  if (invite.isUsed) return <Chip>{t("account.invite_used")}</Chip>;
  return invite.expiresAt <= now ? <Chip>{t("account.invite_expired")}</Chip> : null;
}

/** The user's referral link and the number of referred users. */
export function Referral() {
  const referral = useAtomValue(referralAtom);
  useEffect(() => void loadReferral(), []);
  if (!referral) return null;
  return (
    <div className="settings-line">
      <p>{t("account.referral_text", { count: referral.credited })}</p>
      <Button onClick={() => void copyLink(referral.link)}>{t("account.copy_link")}</Button>
    </div>
  );
}
