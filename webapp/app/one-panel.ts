import { useAtom } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect, useEffectEvent } from "react";

/** The right-hand panel that was opened last. */
const lastOpenedAtom = atom<string | null>(null);

/** From this width on, two panels fit beside the content. */
const TWO_PANELS = "(min-width: 1280px)";

/** In a narrower window one right-hand panel is open at a time: the one opened last closes the other. */
export function useOnePanel(id: string, isOpen: boolean, close: () => void): void {
  const [lastOpened, setLastOpened] = useAtom(lastOpenedAtom);
  useEffect(() => {
    if (isOpen) setLastOpened(id);
  }, [id, isOpen, setLastOpened]);
  const closeIfCovered = useEffectEvent((other: string | null) => {
    if (isOpen && other !== null && other !== id && !matchMedia(TWO_PANELS).matches) close();
  });
  useEffect(() => closeIfCovered(lastOpened), [lastOpened]);
}
