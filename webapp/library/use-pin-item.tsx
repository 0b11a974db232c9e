import { useAtomValue } from "jotai/react";
import { Pin, PinOff } from "lucide-react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { toPinInput } from "./library-items.ts";
import { loadPins, pin, pinsAtom, unpin } from "./pins.ts";

export type PinnableItem = Parameters<typeof toPinInput>[0];

/**
 * A menu item that pins or unpins. The pins are loaded here too, because screens without a sidebar have not loaded
 * them.
 */
export function usePinItem(item: PinnableItem): MenuItem {
  const accountId = useAtomValue(accountIdAtom);
  const isPinned = useAtomValue(pinsAtom).some(({ itemId }) => itemId === item.id);
  useEffect(() => {
    if (accountId !== undefined) void loadPins();
  }, [accountId]);
  return isPinned
    ? { label: t("library.unpin"), icon: <PinOff aria-hidden />, onSelect: () => void unpin(item.id) }
    : { label: t("library.pin_to_sidebar"), icon: <Pin aria-hidden />, onSelect: () => void pin(toPinInput(item)) };
}
