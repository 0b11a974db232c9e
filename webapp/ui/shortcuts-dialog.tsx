import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import "./shortcuts-dialog.css";

interface Props {
  onClose: () => void;
  /** Content above the shortcuts. */
  top: ReactNode;
}

/** All keyboard shortcuts by area, with other help above them. */
export function ShortcutsDialog({ onClose, top }: Props) {
  const groups = [
    [
      t("overlays.keys_anywhere"),
      [
        [["Ctrl", "K"], t("overlays.key_search")],
        [["?"], t("overlays.key_sheet")],
        [["Alt", "R"], t("podcasts.read_key")],
        [["Esc"], t("overlays.key_close")],
      ],
    ],
    [
      t("overlays.keys_page"),
      [
        [["/"], t("overlays.key_blocks")],
        [["Ctrl", "B"], t("overlays.key_bold")],
        [["Ctrl", "I"], t("overlays.key_italic")],
        [["Ctrl", "Z"], t("overlays.key_undo")],
        [["Ctrl", "Shift", "Z"], t("overlays.key_redo")],
      ],
    ],
    [
      t("overlays.keys_study"),
      [
        [["Space"], t("overlays.key_reveal")],
        [["1", "2", "3", "4"], t("overlays.key_grades")],
        [["Z"], t("overlays.key_undo")],
        [["E"], t("overlays.key_edit")],
      ],
    ],
  ] as const;
  return (
    <Dialog open title={t("overlays.keys_title")} onClose={onClose} closeLabel={t("common.close")}>
      {top}
      {groups.map(([title, keys]) => (
        <section key={title} className="keys-sheet key-hint">
          <h3>{title}</h3>
          <dl>
            {keys.map(([pressed, description]) => (
              <div key={description}>
                <dt>{description}</dt>
                <dd>
                  {pressed.map((key) => (
                    <Kbd key={key}>{formatShortcut(key)}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
