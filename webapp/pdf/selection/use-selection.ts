import { useSetAtom } from "jotai/react";
import { useEffect } from "react";
import { selectedAtom, type Selected } from "./selection.ts";

const SETTLE_MS = 120;

/** Follows the text selection once it has settled. */
export function useSelection(read: () => Selected | null): void {
  const setSelected = useSetAtom(selectedAtom);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDown = false;
    const settle = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isDown) setSelected(read());
      }, SETTLE_MS);
    };
    const down = () => {
      isDown = true;
    };
    const up = () => {
      isDown = false;
      settle();
    };
    document.addEventListener("selectionchange", settle);
    document.addEventListener("pointerdown", down);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", up);
    document.addEventListener("scroll", settle, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      setSelected(null);
      document.removeEventListener("selectionchange", settle);
      document.removeEventListener("pointerdown", down);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", up);
      document.removeEventListener("scroll", settle, { capture: true });
    };
  }, [read, setSelected]);
}
