import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { removeSample } from "../../remove-sample.ts";
import { hasSampleAtom } from "../../sample-ids.ts";
import { addSample } from "../../sample-content.ts";

async function addWithNotice(): Promise<void> {
  await addSample();
  notify({ message: t("welcome.sample_added"), type: "success" });
}

/** Adds and removes the sample content. */
export function SampleSettings() {
  const hasSample = useAtomValue(hasSampleAtom);
  return (
    <div className="settings-line">
      <p>
        {t("welcome.sample_settings")}. {t("welcome.sample_text")}
      </p>
      <Button onClick={() => void (hasSample ? removeSample() : addWithNotice())}>
        {t(hasSample ? "welcome.sample_remove" : "welcome.sample_add")}
      </Button>
    </div>
  );
}
