import { useState } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import type { StoredRequest } from "#shared/sync/store.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { queue } from "#webapp/offline/sync.ts";
import { downloadUnsaved, describeUnsaved } from "#webapp/offline/unsaved-changes.ts";

interface Props {
  open: boolean;
  onClose: () => void;
  /** Changes that left the active queue and wait for a connection or a decision by the student. */
  parked: readonly StoredRequest[];
}

export function UnsavedDialog({ open, onClose, parked }: Props) {
  const [isConfirmed, setConfirmed] = useState(false);
  const ids = parked.map(({ request }) => request.id);
  const reasons = new Set(
    parked.flatMap(({ parked: rejection }) =>
      rejection?.kind === "refusal" ? [translateSent(rejection.message, rejection)] : [],
    ),
  );
  const close = () => {
    setConfirmed(false);
    onClose();
  };
  const discard = () => {
    if (!isConfirmed) return setConfirmed(true);
    close();
    return void queue().discard(ids);
  };
  return (
    <Dialog
      open={open && parked.length > 0}
      title={t("unsaved.title")}
      onClose={close}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button variant={isConfirmed ? "danger" : "quiet"} onClick={discard}>
            {t(isConfirmed ? "unsaved.discard_sure" : "unsaved.discard")}
          </Button>
          <Button onClick={downloadUnsaved}>{t("unsaved.download")}</Button>
          <Button variant="primary" onClick={() => void queue().retry(ids)}>
            {t("unsaved.retry")}
          </Button>
        </>
      }
    >
      <p>{t(isConfirmed ? "unsaved.discard_text" : "unsaved.text_on_device")}</p>
      <ul>
        {describeUnsaved(parked.map(({ request }) => request)).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {[...reasons].map((reason) => (
        <p key={reason}>{t("unsaved.why", { reason })}</p>
      ))}
    </Dialog>
  );
}
