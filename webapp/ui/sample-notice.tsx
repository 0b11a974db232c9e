import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { removeSample } from "#webapp/user/remove-sample.ts";
import "./sample-notice.css";

/** A notice about the sample content, with a button that deletes it. */
export function SampleNotice() {
  return (
    <p className="sample-line">
      {t("welcome.sample_here")}
      <Button variant="quiet" onClick={() => void removeSample()}>
        {t("welcome.sample_remove")}
      </Button>
    </p>
  );
}
