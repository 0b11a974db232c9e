import { useState } from "react";
import type { AdminFeedback } from "#shared/admin/feedback-contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";

interface Props {
  feedback: AdminFeedback;
  onClose: () => void;
  onAnswered: (feedback: AdminFeedback) => void;
}

/** Answers feedback by email. The typed answer stays if the email cannot be sent. */
export function AnswerDialog({ feedback: { _id: id, email, feedback: feedbackText }, onClose, onAnswered }: Props) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    try {
      onAnswered((await adminClient.answerFeedback({ id, text })).feedback);
      notify({ type: "success", message: t("admin.answer_sent") });
      onClose();
    } catch (cause) {
      setError(toFailureMessage(cause)?.message ?? t("admin.change_failed"));
      setPending(false);
    }
  };
  return (
    <Dialog
      open
      title={t("admin.answer")}
      onClose={onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={text === ""}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" pending={isPending || text.trim() === ""} onClick={() => void send()}>
            {t("admin.answer_send")}
          </Button>
        </>
      }
    >
      <blockquote className="admin-words">{feedbackText}</blockquote>
      <TextArea
        label={t("admin.answer_text")}
        hint={t("admin.answer_hint", { email })}
        error={error}
        rows={6}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
