import { useAtomValue } from "jotai/react";
import { UnfoldHorizontal } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { canvasWidthsPx, isWideCanvas } from "#shared/research/rules.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

/** Gives the canvas the normal or the wide width, and saves it. */
export function WidthToggle() {
  const { canvas_width: widthPx } = useAtomValue(preferencesAtom).research;
  const isWide = isWideCanvas(widthPx);
  const toggle = () =>
    void changePreferences((p) => ({
      ...p,
      research: { ...p.research, canvas_width: canvasWidthsPx[isWide ? "normal" : "wide"] },
    }));
  return (
    <IconButton
      className="research-width"
      label={t("research.wide_canvas")}
      icon={<UnfoldHorizontal aria-hidden />}
      aria-pressed={isWide}
      onClick={toggle}
    />
  );
}
