import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { newVersionAtom, activateNewVersion } from "#webapp/offline/register-service-worker.ts";
import "./new-version-banner.css";

/** Offers an update. The user chooses when to update, because the app never reloads by itself. */
export function NewVersionBanner() {
  if (!useAtomValue(newVersionAtom)) return null;
  return (
    <div className="new-version" role="status">
      <span>{t("overlays.new_version")}</span>
      <Button variant="primary" onClick={activateNewVersion}>
        {t("overlays.refresh")}
      </Button>
    </div>
  );
}
