import { useState, type ReactNode, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";

interface Props {
  title: string;
  text?: string;
  /** Label of the submit button. */
  action: string;
  isDanger?: boolean;
  children: ReactNode;
  /** Resolves to an error message; undefined closes the dialog. */
  onSubmit: () => Promise<string | undefined>;
  onClose: () => void;
}

/** A dialog with a small form that shows the server's error inline. */
export function FormDialog({ title, text, action, isDanger = false, children, onSubmit, onClose }: Props) {
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    const submitError = await onSubmit();
    setPending(false);
    setError(submitError);
    if (submitError === undefined) onClose();
  };
  return (
    <Dialog open title={title} onClose={onClose} closeLabel={t("common.close")} closeOnBackdrop={false}>
      <form className="settings-form" noValidate onSubmit={(event) => void submit(event)}>
        {text !== undefined && <p>{text}</p>}
        {error !== undefined && (
          <p className="settings-refusal" role="alert">
            {error}
          </p>
        )}
        {children}
        <div className="settings-row">
          <Button type="submit" variant={isDanger ? "danger" : "primary"} pending={isPending}>
            {action}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
