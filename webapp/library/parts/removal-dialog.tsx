import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { removalQuestionAtom } from "../delete-items.ts";

/** Asks before decks are deleted. */
export function RemovalDialog() {
  const question = useAtomValue(removalQuestionAtom);
  if (!question) return null;
  const { title, count, answer } = question;
  const cancel = () => answer(false);
  return (
    <Dialog
      open
      title={t("library.confirm_decks_title")}
      onClose={cancel}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={cancel}>{t("common.cancel")}</Button>
          <Button variant="danger" onClick={() => answer(true)}>
            {t("library.delete")}
          </Button>
        </>
      }
    >
      <p>{t("library.confirm_decks", { count, title })}</p>
    </Dialog>
  );
}
