import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { newVersionAtom, takeNewVersion } from "#webapp/offline/keep-shell.ts";
import "./new-version.css";

/** The user chooses when to update; the app never reloads by itself. */
export function NewVersion() {
  if (!useAtomValue(newVersionAtom)) return null;
  return (
    <div className="new-version" role="status">
      <span>{t("manners.new_version")}</span>
      <Button variant="primary" onClick={takeNewVersion}>
        {t("manners.refresh")}
      </Button>
    </div>
  );
}
