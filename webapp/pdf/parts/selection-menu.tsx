import { useAtomValue } from "jotai/react";
import { Copy, NotebookPen } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { highlightColours, type HighlightColour } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import type { SelectionAction } from "../document-port.tsx";
import { copyWithCitation, documentSelectionAtom, type DocumentSelection } from "../selection/selection.ts";

export const colourName = (color: HighlightColour) => t(`pdf.colour_${color}`);

interface Props {
  onHighlight: (selected: DocumentSelection, color: HighlightColour) => void;
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
    const { left, right, top, bottom } = selected.box;
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
      {highlightColours.map((color, index) => (
        <button
          key={color}
          type="button"
          className="pdf-colour"
          data-colour={color}
          title={`${t("pdf.highlight_in", { colour: colourName(color) })} (${index + 1})`}
          aria-label={t("pdf.highlight_in", { colour: colourName(color) })}
          onClick={() => onHighlight(selected, color)}
        />
      ))}
      <IconButton label={t("pdf.add_note")} icon={<NotebookPen aria-hidden />} onClick={() => onNote(selected)} />
      <IconButton
        label={t("pdf.copy_cited")}
        icon={<Copy aria-hidden />}
        onClick={() => void copyWithCitation(selected)}
      />
      {actions.map(({ id, label, icon, run }) => (
        <IconButton key={id} label={label} icon={icon} onClick={() => run(selected)} />
      ))}
    </div>
  );
}
