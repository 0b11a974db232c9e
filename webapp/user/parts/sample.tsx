import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { notify } from "#webapp/kit/alerts.ts";
import { removeSample } from "#webapp/kit/sample.ts";
import { hasSampleAtom } from "#webapp/kit/sample-ids.ts";
import { addSample } from "../sample.ts";

async function add(): Promise<void> {
  await addSample();
  notify({ message: t("welcome.sample_added"), type: "success" });
}

/** Adds and removes the sample content. */
export function Sample() {
  const hasSample = useAtomValue(hasSampleAtom);
  return (
    <div className="settings-line">
      <p>
        {t("welcome.sample_settings")}. {t("welcome.sample_text")}
      </p>
      <Button onClick={() => void (hasSample ? removeSample() : add())}>
        {t(hasSample ? "welcome.sample_remove" : "welcome.sample_add")}
      </Button>
    </div>
  );
}
