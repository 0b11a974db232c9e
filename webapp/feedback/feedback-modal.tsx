import { useState, type SyntheticEvent } from "react";
import { FEEDBACK_CATEGORIES } from "#shared/feedback/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { readToken } from "#webapp/app/session/token.ts";
import { categoryNames } from "./category-names.ts";
import { sendFeedback, type Category } from "./state.ts";
import "./feedback-modal.css";

export function FeedbackModal({ onClose }: { onClose: () => void }) {
  const [feedback, setFeedback] = useState("");
  const [category, setCategory] = useState<Category>("General Feedback");
  const [email, setEmail] = useState("");
  const [isPending, setPending] = useState(false);
  const isEmpty = feedback.trim() === "";
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending || isEmpty) return;
    setPending(true);
    const isAccepted = await sendFeedback({ feedback: feedback.trim(), category, email: email.trim() });
    setPending(false);
    if (!isAccepted) return;
    setFeedback("");
    onClose();
  };
  return (
    <Dialog
      open
      title={t("overlays.feedback_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      // A click outside must not discard the typed text.
      closeOnBackdrop={isEmpty}
    >
      <form className="feedback-form" noValidate onSubmit={(event) => void submit(event)}>
        <Select
          label={t("overlays.feedback_category")}
          value={category}
          options={FEEDBACK_CATEGORIES.map((value) => ({ value, label: categoryNames[value] }))}
          onValue={setCategory}
        />
        <TextArea
          label={t("overlays.feedback_text")}
          className="feedback-text"
          maxLength={10_000}
          value={feedback}
          onChange={(event) => setFeedback(event.target.value)}
        />
        {readToken() === undefined && (
          <TextField
            label={t("overlays.feedback_email")}
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
        <Button type="submit" variant="primary" disabled={isEmpty} pending={isPending}>
          {t("overlays.feedback_send")}
        </Button>
      </form>
    </Dialog>
  );
}
