import { t } from "#shared/messages/translate.ts";

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Symbols on Mac keyboards, the same in every language. */
const macSymbols: Readonly<Record<string, string>> = { Ctrl: "⌘", Shift: "⇧", Alt: "⌥" };

const keyNames: Readonly<Record<string, () => string>> = {
  Ctrl: () => t("common.key_ctrl"),
  Shift: () => t("common.key_shift"),
  Enter: () => t("common.key_enter"),
  Space: () => t("common.key_space"),
  Home: () => t("common.key_home"),
  End: () => t("common.key_end"),
};

const formatKey = (key: string) => (isMac() ? macSymbols[key] : undefined) ?? keyNames[key]?.() ?? key;

/** Formats a shortcut such as `Ctrl Shift Z` with the key names of this platform. */
export const formatShortcut = (keys: string): string => keys.split(" ").map(formatKey).join(" ");
