import { useLayoutEffect, type RefObject } from "react";

/** `veiled`: a modal covers the screen; `contained`: the screen scrolls within itself. */
type RootAttribute = "veiled" | "contained";

const holderCounts = new Map<RootAttribute, number>();

function updateHolders(root: HTMLElement, attribute: RootAttribute, change: 1 | -1): void {
  const count = (holderCounts.get(attribute) ?? 0) + change;
  holderCounts.set(attribute, count);
  root.toggleAttribute(`data-${attribute}`, count > 0);
}

/**
 * Sets an attribute on the root element, for styles only, while `ref` is mounted. `html:has(…)` would need no script,
 * but makes browsers re-match the whole document whenever a block is added.
 */
export function useRootAttribute(ref: RefObject<HTMLElement | null>, attribute: RootAttribute, isOn = true): void {
  useLayoutEffect(() => {
    const root = ref.current?.ownerDocument.documentElement;
    if (!isOn || !root) return undefined;
    updateHolders(root, attribute, 1);
    return () => updateHolders(root, attribute, -1);
  }, [ref, attribute, isOn]);
}
