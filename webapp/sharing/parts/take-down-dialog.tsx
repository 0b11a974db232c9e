import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";

interface Props {
  shareId: string;
  onClose: () => void;
  onDone: () => void;
}

export function TakeDownDialog({ shareId, onClose, onDone }: Props) {
  const takeDown = async () => {
    try {
      await client.sharing.takeDown({ share: shareId });
      notify({ type: "success", message: t("sharing.taken_down_done") });
      onDone();
    } catch {
      notify({ type: "error", message: t("sharing.change_failed") });
    }
  };
  return (
    <Dialog
      open
      title={t("sharing.take_down_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="danger" onClick={() => void takeDown()}>
            {t("sharing.take_down")}
          </Button>
        </>
      }
    >
      <p>{t("sharing.take_down_text")}</p>
    </Dialog>
  );
}
