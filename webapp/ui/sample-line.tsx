import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { removeSample } from "#webapp/user/remove-sample.ts";
import "./sample-line.css";

/** Says that a sample lies here, and throws it away in one press. */
export function SampleLine() {
  return (
    <p className="sample-line">
      {t("welcome.sample_here")}
      <Button variant="quiet" onClick={() => void removeSample()}>
        {t("welcome.sample_remove")}
      </Button>
    </p>
  );
}
