import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import "./shortcuts-dialog.css";

interface Props {
  onClose: () => void;
  /** Above the shortcuts. */
  top: ReactNode;
}

/** All keyboard shortcuts by area. */
export function ShortcutsDialog({ onClose, top }: Props) {
  const groups = [
    [
      t("manners.keys_anywhere"),
      [
        [["Ctrl", "K"], t("manners.key_search")],
        [["?"], t("manners.key_sheet")],
        [["Alt", "R"], t("podcasts.read_key")],
        [["Esc"], t("manners.key_close")],
      ],
    ],
    [
      t("manners.keys_page"),
      [
        [["/"], t("manners.key_blocks")],
        [["Ctrl", "B"], t("manners.key_bold")],
        [["Ctrl", "I"], t("manners.key_italic")],
        [["Ctrl", "Z"], t("manners.key_undo")],
        [["Ctrl", "Shift", "Z"], t("manners.key_redo")],
      ],
    ],
    [
      t("manners.keys_study"),
      [
        [["Space"], t("manners.key_reveal")],
        [["1", "2", "3", "4"], t("manners.key_grades")],
        [["Z"], t("manners.key_undo")],
        [["E"], t("manners.key_edit")],
      ],
    ],
  ] as const;
  return (
    <Dialog open title={t("manners.keys_title")} onClose={onClose} closeLabel={t("common.close")}>
      {top}
      {groups.map(([title, keys]) => (
        <section key={title} className="keys-sheet">
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
