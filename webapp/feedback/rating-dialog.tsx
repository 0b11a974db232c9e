import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import "./rating-dialog.css";

interface Props {
  /** The text that is sent along if the student agrees to share it. */
  text: string;
  onSend: (reason: string, sharesText: boolean) => Promise<void>;
  onClose: () => void;
}

/** Asks for the reason of a thumb down, which has already been sent. Every field is optional. */
export function RatingDialog({ text, onSend, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [sharesText, setSharesText] = useState(false);
  const [state, setState] = useState<"idle" | "pending" | "failed">("idle");
  const send = async () => {
    setState("pending");
    await onSend(reason.trim(), sharesText).catch(() => setState("failed"));
  };
  return (
    <Dialog
      open
      title={t("rating.title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={reason === ""}
      footer={
        <>
          <Button onClick={onClose}>{t("rating.skip")}</Button>
          <Button
            variant="primary"
            disabled={reason.trim() === "" && !sharesText}
            pending={state === "pending"}
            onClick={() => void send()}
          >
            {t("rating.send")}
          </Button>
        </>
      }
    >
      <div className="rating-form">
        <TextArea
          label={t("rating.reason")}
          hint={t("rating.optional")}
          error={state === "failed" ? t("rating.failed") : undefined}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Checkbox label={t("rating.share")} checked={sharesText} onValue={setSharesText} />
        {sharesText && <blockquote className="rating-shared">{text}</blockquote>}
      </div>
    </Dialog>
  );
}
