import { Lightbulb } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import type { Hint } from "../session/use-hint.ts";

/** The hint or its button, below the question until the answer is revealed. */
export function HintLine({ hint, onAsk }: { hint: Hint; onAsk: (() => void) | undefined }) {
  return (
    <div className="study-hint" role="status">
      {hint.state === "ready" && <p>{hint.text}</p>}
      {hint.state === "loading" && <p>{t("study.hint_loading")}</p>}
      {onAsk && (
        <Button variant="quiet" icon={<Lightbulb aria-hidden />} onClick={onAsk}>
          {t("study.hint")} <Kbd>H</Kbd>
        </Button>
      )}
    </div>
  );
}
