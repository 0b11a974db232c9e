import { useAtom, useAtomValue, useSetAtom } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect, useEffectEvent } from "react";
import { preferencesAtom } from "./preferences.ts";

/** The right-hand panel that was opened last. */
const lastOpenedAtom = atom<string | null>(null);
/** Whether a panel is open on the left of the content, besides the sidebar. */
const leftPanelAtom = atom(false);

/** From this width on, two panels fit beside the content. */
const TWO_PANELS_PX = 1280;
/** The window must be wider by this for the sidebar, and for a panel on the left. */
const LEFT_PANEL_PX = 232;

/** In a narrower window, only one right-hand panel is open at a time, so opening a panel closes the other panel. */
export function useOnePanel(id: string, isOpen: boolean, close: () => void): void {
  const [lastOpened, setLastOpened] = useAtom(lastOpenedAtom);
  const isSidebarPinned = useAtomValue(preferencesAtom).sidebar.pinned;
  const hasLeftPanel = useAtomValue(leftPanelAtom);
  useEffect(() => {
    if (isOpen) setLastOpened(id);
  }, [id, isOpen, setLastOpened]);
  const minWidthPx = TWO_PANELS_PX + LEFT_PANEL_PX * (Number(isSidebarPinned) + Number(hasLeftPanel));
  const closeIfCovered = useEffectEvent((other: string | null, neededPx: number) => {
    const fits = matchMedia(`(min-width: ${neededPx}px)`).matches;
    if (isOpen && other !== null && other !== id && !fits) close();
  });
  useEffect(() => closeIfCovered(lastOpened, minWidthPx), [lastOpened, minWidthPx]);
}

/** Registers an open panel on the left of the content, which leaves less space for right-hand panels. */
export function useLeftPanel(isOpen: boolean): void {
  const setOpen = useSetAtom(leftPanelAtom);
  useEffect(() => {
    setOpen(isOpen);
    return () => setOpen(false);
  }, [isOpen, setOpen]);
}
