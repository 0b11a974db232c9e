import { useState } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import type { StoredRequest } from "#shared/sync/store.ts";
import { Button } from "#shared/ui/button.tsx";
import { Dialog } from "#shared/ui/dialog.tsx";
import { queue } from "#webapp/kit/sync.ts";
import { downloadUnsaved, sayUnsaved } from "#webapp/kit/unsaved.ts";

interface Props {
  open: boolean;
  onClose: () => void;
  /** What left the live queue: it waits for a connection, or for the student. */
  parked: readonly StoredRequest[];
}

export function UnsavedDialog({ open, onClose, parked }: Props) {
  const [isSure, setSure] = useState(false);
  const ids = parked.map(({ request }) => request.id);
  const reasons = new Set(
    parked.flatMap(({ parked: why }) => (why?.kind === "refusal" ? [translateSent(why.message, why)] : [])),
  );
  const close = () => {
    setSure(false);
    onClose();
  };
  const discard = () => {
    if (!isSure) return setSure(true);
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
          <Button variant={isSure ? "danger" : "quiet"} onClick={discard}>
            {t(isSure ? "unsaved.discard_sure" : "unsaved.discard")}
          </Button>
          <Button onClick={downloadUnsaved}>{t("unsaved.download")}</Button>
          <Button variant="primary" onClick={() => void queue().retry(ids)}>
            {t("unsaved.retry")}
          </Button>
        </>
      }
    >
      <p>{t(isSure ? "unsaved.discard_text" : "unsaved.text_kept")}</p>
      <ul>
        {sayUnsaved(parked.map(({ request }) => request)).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {[...reasons].map((reason) => (
        <p key={reason}>{t("unsaved.why", { reason })}</p>
      ))}
    </Dialog>
  );
}
