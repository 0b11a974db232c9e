import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import type { User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { syncStatusAtom } from "#webapp/offline/sync-status.ts";
import {
  changeEmail,
  changePassword,
  loadSignInMethods,
  sendVerification,
  signInMethodsAtom,
} from "../../account-state.ts";
import { FormDialog } from "../form-dialog.tsx";

/** Whether the address is verified. Hidden for unverified addresses if the server sends no mail to verify them. */
function AddressState({ isVerified, isMailed }: { isVerified: boolean; isMailed: boolean }) {
  if (isVerified) return <Chip tone="good">{t("account.verified")}</Chip>;
  return isMailed ? <Chip>{t("account.unverified")}</Chip> : null;
}

/** The account's email address and password. */
export function SignInSettings({ user }: { user: User }) {
  const [openDialog, setOpenDialog] = useState<"email" | "password">();
  const entry = useAtomValue(signInMethodsAtom);
  useEffect(() => void loadSignInMethods(), []);
  const close = () => setOpenDialog(undefined);
  const isMailed = entry?.mail ?? false;
  const isOffline = useAtomValue(syncStatusAtom).state === "offline";
  return (
    <>
      <p role="status" className={isOffline ? "settings-note" : "visually-hidden"}>
        {isOffline && t("account.sign_in_offline")}
      </p>
      <div className="settings-line">
        <span>
          {user.email} <AddressState isVerified={user.emailVerified} isMailed={isMailed} />
        </span>
        <div className="settings-row">
          {!user.emailVerified && isMailed && (
            <Button disabled={isOffline} onClick={() => void sendVerification(user.email)}>
              {t("account.verify_send")}
            </Button>
          )}
          <Button disabled={isOffline} onClick={() => setOpenDialog("email")}>
            {t("account.change_email")}
          </Button>
        </div>
      </div>
      <div className="settings-line">
        <span>{t("account.password")}</span>
        <Button disabled={isOffline} onClick={() => setOpenDialog("password")}>
          {t(user.hasPassword ? "account.change_password" : "account.set_password")}
        </Button>
      </div>
      {openDialog === "email" && <EmailDialog user={user} isMailed={isMailed} onClose={close} />}
      {openDialog === "password" && <PasswordDialog user={user} onClose={close} />}
    </>
  );
}

export function CurrentPassword({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  return (
    <TextField
      label={t("account.current_password")}
      type="password"
      autoComplete="current-password"
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

interface DialogProps {
  user: User;
  onClose: () => void;
}

function EmailDialog({ user, isMailed, onClose }: DialogProps & { isMailed: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      title={t("account.change_email_title")}
      {...(isMailed && { text: t("account.change_email_text") })}
      action={t("account.change_email")}
      onClose={onClose}
      onSubmit={async () =>
        /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? changeEmail(email.trim(), password) : t("auth.email_invalid")
      }
    >
      <TextField
        label={t("account.new_email")}
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {user.hasPassword && <CurrentPassword value={password} onValue={setPassword} />}
    </FormDialog>
  );
}

function PasswordDialog({ user, onClose }: DialogProps) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  return (
    <FormDialog
      title={t(user.hasPassword ? "account.change_password" : "account.set_password")}
      action={t("common.save")}
      onClose={onClose}
      onSubmit={async () =>
        newPassword.length < MIN_PASSWORD_LENGTH
          ? t("auth.password_short", { count: MIN_PASSWORD_LENGTH })
          : changePassword(currentPassword, newPassword)
      }
    >
      {user.hasPassword && <CurrentPassword value={currentPassword} onValue={setCurrentPassword} />}
      <TextField
        label={t("account.new_password")}
        type="password"
        autoComplete="new-password"
        hint={t("auth.password_hint", { count: MIN_PASSWORD_LENGTH })}
        value={newPassword}
        onChange={(event) => setNewPassword(event.target.value)}
      />
    </FormDialog>
  );
}
