import { useLayoutEffect, useSyncExternalStore, type RefObject } from "react";

/** The open dialogs, the topmost last. */
const opened: HTMLElement[] = [];
const listeners = new Set<() => void>();

const notifyAll = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers a dialog while it is open. */
export function useOpenDialog(ref: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!isOpen || !dialog) return undefined;
    opened.push(dialog);
    notifyAll();
    return () => {
      opened.splice(opened.indexOf(dialog), 1);
      notifyAll();
    };
  }, [ref, isOpen]);
}

const topDialog = () => opened.at(-1);

/** The topmost open dialog, behind whose backdrop everything else is inert; undefined if no dialog is open. */
export const useTopDialog = (): HTMLElement | undefined => useSyncExternalStore(subscribe, topDialog, topDialog);
