import { useSetAtom } from "jotai/react";
import { useEffect } from "react";
import { documentSelectionAtom, type DocumentSelection } from "./selection.ts";

const SETTLE_MS = 120;

/** Follows the text selection once it has settled. */
export function useDocumentSelection(read: () => DocumentSelection | null): void {
  const setSelected = useSetAtom(documentSelectionAtom);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDown = false;
    const scheduleRead = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isDown) setSelected(read());
      }, SETTLE_MS);
    };
    const onPointerDown = () => {
      isDown = true;
    };
    const onPointerUp = () => {
      isDown = false;
      scheduleRead();
    };
    document.addEventListener("selectionchange", scheduleRead);
    document.addEventListener("pointerdown", onPointerDown);
    document.addEventListener("pointerup", onPointerUp);
    document.addEventListener("pointercancel", onPointerUp);
    document.addEventListener("scroll", scheduleRead, { capture: true, passive: true });
    window.addEventListener("resize", scheduleRead);
    return () => {
      clearTimeout(timer);
      setSelected(null);
      document.removeEventListener("selectionchange", scheduleRead);
      document.removeEventListener("pointerdown", onPointerDown);
      document.removeEventListener("pointerup", onPointerUp);
      document.removeEventListener("pointercancel", onPointerUp);
      document.removeEventListener("scroll", scheduleRead, { capture: true });
      window.removeEventListener("resize", scheduleRead);
    };
  }, [read, setSelected]);
}
