import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { renameResearchSession } from "../state.ts";

interface Props {
  id: string;
  title: string;
  onRenamed?: (title: string) => void;
  onClose: () => void;
}

export function RenameSessionDialog({ id, title: current, onRenamed, onClose }: Props) {
  const [title, setTitle] = useState(current);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const name = title.trim();
    if (!(await renameResearchSession(id, name))) return setSaving(false);
    onRenamed?.(name);
    return onClose();
  };
  return (
    <Dialog open title={t("research.rename_title")} onClose={onClose} closeLabel={t("common.close")}>
      <form
        className="research-rename"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() !== "") void save();
        }}
      >
        <TextField
          ref={focusInDialog}
          label={t("research.name")}
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button type="submit" variant="primary" pending={isSaving} disabled={title.trim() === ""}>
          {t("research.save")}
        </Button>
      </form>
    </Dialog>
  );
}
