import { useAtomValue } from "jotai/react";
import { useLayoutEffect, useRef, useState } from "react";
import { annotationColors, type AnnotationColor } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import type { SelectionAction } from "../document-port.tsx";
import { copyWithCitation, documentSelectionAtom, type DocumentSelection } from "../selection/selection.ts";

export const colorName = (color: AnnotationColor) => t(`pdf.colour_${color}`);

interface Props {
  onHighlight: (selected: DocumentSelection, color: AnnotationColor) => void;
  onNote: (selected: DocumentSelection) => void;
  actions: readonly SelectionAction[];
}

const EDGE_PX = 8;

/** Toolbar next to the selection. */
export function SelectionMenu({ onHighlight, onNote, actions }: Props) {
  const selected = useAtomValue(documentSelectionAtom);
  const ref = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const menu = ref.current;
    if (!selected || !menu) return;
    const { width, height } = menu.getBoundingClientRect();
    const { left, right, top, bottom } = selected.findBox();
    const middle = (left + right) / 2 - width / 2;
    const above = top - height - EDGE_PX;
    setPosition({
      left: Math.min(Math.max(EDGE_PX, middle), window.innerWidth - width - EDGE_PX),
      top: above > 56 ? above : Math.min(bottom + EDGE_PX, window.innerHeight - height - EDGE_PX),
    });
  }, [selected]);
  if (!selected) return null;
  return (
    <div
      ref={ref}
      className="pdf-selection"
      role="toolbar"
      aria-label={t("pdf.selection")}
      style={position}
      // Pressing a button must not clear the selection.
      onPointerDown={(event) => event.preventDefault()}
    >
      {actions
        .filter(({ isFirst }) => isFirst)
        .map(({ id, label, icon, key, run }) => (
          <Button key={id} variant="quiet" className="pdf-selection-first" icon={icon} onClick={() => run(selected)}>
            {label} {key !== undefined && <Kbd>{key.toUpperCase()}</Kbd>}
          </Button>
        ))}
      {annotationColors.map((color, index) => (
        <button
          key={color}
          type="button"
          className="pdf-colour"
          data-colour={color}
          title={`${t("pdf.highlight_in", { colour: colorName(color) })} (${index + 1})`}
          aria-label={t("pdf.highlight_in", { colour: colorName(color) })}
          onClick={() => onHighlight(selected, color)}
        />
      ))}
      <Button variant="quiet" onClick={() => onNote(selected)}>
        {t("pdf.add_note")}
      </Button>
      {actions
        .filter(({ isFirst }) => isFirst !== true)
        .map(({ id, label, run }) => (
          <Button key={id} variant="quiet" onClick={() => run(selected)}>
            {label}
          </Button>
        ))}
      <Button variant="quiet" title={t("pdf.copy_cited")} onClick={() => void copyWithCitation(selected)}>
        {t("pdf.copy")}
      </Button>
    </div>
  );
}
