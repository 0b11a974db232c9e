import { MessageSquare } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { openOverlay } from "#webapp/app/overlays.ts";
import { Experiments } from "./parts/settings/experiments.tsx";
import "./settings-screen.css";

/** Experimental features that students can turn on. */
export function LabsScreen() {
  return (
    <div className="settings">
      <div className="settings-head">
        <h1>{t("labs.title")}</h1>
        <p>{t("labs.intro")}</p>
      </div>
      <Experiments />
      <p>
        <Button icon={<MessageSquare aria-hidden />} onClick={() => openOverlay("feedback")}>
          {t("labs.tell")}
        </Button>
      </p>
    </div>
  );
}
