import { useState, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import type { WebsiteProject } from "#shared/website/schema.ts";
import { MAX_PROJECT_NAME } from "#shared/website/contract.ts";
import { deleteProject, renameProject } from "../state.ts";

interface Props {
  project: Pick<WebsiteProject, "_id" | "name">;
  onClose: () => void;
}

export function RenameProjectDialog({ project, onClose }: Props) {
  const [name, setName] = useState(project.name);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    void renameProject(project._id, name.trim());
    onClose();
  };
  return (
    <Dialog open title={t("website.rename_title")} onClose={onClose} closeLabel={t("common.close")}>
      <form className="website-dialog" onSubmit={submit}>
        <TextField
          ref={focusInDialog}
          label={t("website.name")}
          value={name}
          maxLength={MAX_PROJECT_NAME}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={name.trim() === ""}>
          {t("website.save")}
        </Button>
      </form>
    </Dialog>
  );
}

export function DeleteProjectDialog({ project, onClose }: Props) {
  return (
    <Dialog
      open
      title={t("website.delete_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={onClose}>{t("website.cancel")}</Button>
          <Button
            variant="danger"
            onClick={() => {
              void deleteProject(project._id);
              onClose();
            }}
          >
            {t("website.delete")}
          </Button>
        </>
      }
    >
      <p>
        <strong dir="auto">{project.name || t("website.untitled")}</strong>
      </p>
      <p>{t("website.delete_text")}</p>
    </Dialog>
  );
}
