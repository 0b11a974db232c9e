import { useAtom, useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect, useEffectEvent } from "react";
import { preferencesAtom } from "./preferences.ts";

/** The right-hand panel that was opened last. */
const lastOpenedAtom = atom<string | null>(null);

/** From this width on, two panels fit beside the content; with the sidebar pinned, the window must be wider by it. */
const TWO_PANELS = "(min-width: 1280px)";
const TWO_PANELS_AND_SIDEBAR = "(min-width: 1512px)";

/** In a narrower window one right-hand panel is open at a time: the one opened last closes the other. */
export function useOnePanel(id: string, isOpen: boolean, close: () => void): void {
  const [lastOpened, setLastOpened] = useAtom(lastOpenedAtom);
  const isSidebarPinned = useAtomValue(preferencesAtom).sidebar.pinned;
  useEffect(() => {
    if (isOpen) setLastOpened(id);
  }, [id, isOpen, setLastOpened]);
  const closeIfCovered = useEffectEvent((other: string | null) => {
    const fits = matchMedia(isSidebarPinned ? TWO_PANELS_AND_SIDEBAR : TWO_PANELS).matches;
    if (isOpen && other !== null && other !== id && !fits) close();
  });
  useEffect(() => closeIfCovered(lastOpened), [lastOpened]);
}
