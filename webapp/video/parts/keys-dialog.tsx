import type { MessageKey } from "#shared/messages/translate.ts";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";

const keys = [
  [["Space", "K"], "video.key_play"],
  [["←", "→"], "video.key_seek"],
  [["J", "L"], "video.key_seek_ten"],
  [["↑", "↓"], "video.key_line"],
  [["Shift", "↑", "↓"], "video.key_choose"],
  [["<", ">"], "video.key_rate"],
  [["[", "]", "\\"], "video.key_loop"],
  [["/"], "video.key_search"],
  [["N"], "video.key_note"],
  [["M"], "video.key_card"],
  [["Y"], "video.key_copy"],
  [["?"], "video.key_keys"],
] as const satisfies readonly (readonly [readonly string[], MessageKey])[];

export function VideoKeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={t("video.keys")} onClose={onClose} closeLabel={t("common.close")}>
      <dl className="keys">
        {keys.map(([names, description]) => (
          <div key={description} className="keys-row">
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{formatShortcut(name)}</Kbd>
              ))}
            </dt>
            <dd>{t(description)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
