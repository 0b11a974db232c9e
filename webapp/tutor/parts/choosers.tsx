import { ChevronDown } from "lucide-react";
import { useAtom, useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import type { TutorMode } from "#shared/tutor/schema.ts";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { modelAtom, modelsAtom } from "../state.ts";

const modes: readonly TutorMode[] = ["explain", "socratic", "quiz", "plan"];
const modeLabel = (mode: TutorMode) => t(`tutor.mode_${mode}`);

export function ModeChooser({ mode, onMode }: { mode: TutorMode; onMode: (mode: TutorMode) => void }) {
  return (
    <Menu
      align="start"
      groups={[
        modes.map((option) => ({
          label: modeLabel(option),
          hint: t(`tutor.mode_${option}_hint`),
          onSelect: () => onMode(option),
        })),
      ]}
      trigger={
        <button type="button" className="composer-chip" aria-label={`${modeLabel(mode)}: ${t("tutor.mode")}`}>
          {modeLabel(mode)}
          <ChevronDown aria-hidden />
        </button>
      }
    />
  );
}

/** Hidden when there is only one model. */
export function ModelChooser() {
  const models = useAtomValue(modelsAtom);
  const [chosen, setChosen] = useAtom(modelAtom);
  if (!models || models.models.length < 2) return null;
  const current = models.models.find(({ id }) => id === (chosen ?? models.defaultModel));
  return (
    <Menu
      align="start"
      groups={[models.models.map(({ id, name }) => ({ label: name, onSelect: () => setChosen(id) }))]}
      trigger={
        <button type="button" className="composer-chip" aria-label={`${current?.name ?? ""}: ${t("tutor.model")}`}>
          <span className="composer-chip-words">{current?.name ?? t("tutor.model")}</span>
          <ChevronDown aria-hidden />
        </button>
      }
    />
  );
}
