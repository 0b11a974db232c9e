import { useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { getInitial } from "#webapp/app/format/initial.ts";
import { hasPicture, removePicture, uploadPicture } from "../../account-state.ts";

export function ProfilePicture({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const send = async (file: File | undefined) => {
    if (!file) return;
    setSending(true);
    await uploadPicture(file);
    setSending(false);
  };
  return (
    <div className="settings-picture">
      {user.profilePictureUrl === null ? (
        <span className="settings-initial" aria-hidden>
          {getInitial(user.name)}
        </span>
      ) : (
        <img src={user.profilePictureUrl} alt={t("account.picture")} width={64} height={64} />
      )}
      <div>
        <div className="settings-row">
          <Button pending={isSending} onClick={() => input.current?.click()}>
            {t("account.picture_choose")}
          </Button>
          {hasPicture(user) && (
            <Button variant="quiet" onClick={() => void removePicture()}>
              {t("account.picture_remove")}
            </Button>
          )}
        </div>
        <p className="settings-note">{t("account.picture_hint")}</p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("account.picture_choose")}
        accept="image/jpeg,image/png,image/webp,image/gif,image/bmp,image/tiff"
        onChange={(event) => {
          void send(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </div>
  );
}
