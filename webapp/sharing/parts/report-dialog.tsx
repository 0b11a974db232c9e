import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { ReportReason } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { reportReasonNames } from "../share-labels.ts";

const reasons = ReportReason.options.map((value) => ({ value, label: reportReasonNames[value] }));

export function ReportDialog({ shareId, onClose }: { shareId: string; onClose: () => void }) {
  const [reason, setReason] = useState<ReportReason>("copyright");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    try {
      await client.sharing.reportShare({ share: shareId, reason, text });
      notify({ type: "success", message: t("sharing.report_sent") });
      onClose();
    } catch {
      notify({ type: "error", message: t("sharing.report_failed") });
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      title={t("sharing.report_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={
        <Button variant="primary" pending={isSending} onClick={() => void send()}>
          {t("sharing.report_send")}
        </Button>
      }
    >
      <Select label={t("sharing.report_why")} value={reason} options={reasons} onValue={setReason} />
      <TextArea
        label={t("sharing.report_more")}
        value={text}
        maxLength={2000}
        rows={4}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
