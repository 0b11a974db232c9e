import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";

const shortcuts = [
  [["J", "→"], "pdf.next_page"],
  [["K", "←"], "pdf.previous_page"],
  [["Home", "End"], "pdf.key_ends"],
  [["G"], "pdf.jump"],
  [["+", "−"], "pdf.key_zoom"],
  [["W", "P"], "pdf.key_fit"],
  [["D"], "pdf.key_spread"],
  [["R", "Shift R"], "pdf.key_rotate"],
  [["/", "Ctrl F"], "pdf.find_open"],
  [["Enter", "Shift Enter"], "pdf.key_find"],
  [["S"], "pdf.panel"],
  [["O"], "pdf.outline_panel"],
  [["1", "2", "3", "4"], "pdf.key_colours"],
  [["N"], "pdf.key_note"],
  [["C"], "pdf.key_card"],
  [["Shift C"], "pdf.copy_cited"],
  [["A"], "pdf.area"],
  [["Ctrl Z"], "pdf.key_undo"],
  [["Esc"], "pdf.key_escape"],
] as const;

export function DocumentShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog open={isOpen} title={t("pdf.keys")} onClose={onClose} closeLabel={t("common.close")}>
      <dl className="pdf-keys">
        {shortcuts.map(([names, message]) => (
          <div key={message}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{formatShortcut(name)}</Kbd>
              ))}
            </dt>
            <dd>{t(message)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
