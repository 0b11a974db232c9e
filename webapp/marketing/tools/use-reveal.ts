import { type RefObject, useEffect, useRef } from "react";

/** A result that begins within this share of the window, from the top, counts as visible. */
const VISIBLE_SHARE = 0.6;

/** Scrolls to a new result and focuses it, unless its beginning is already visible. */
export function useReveal<E extends HTMLElement>(results: number): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    const result = ref.current;
    if (results === 0 || !result) return;
    const { top } = result.getBoundingClientRect();
    if (top >= 0 && top < window.innerHeight * VISIBLE_SHARE) return;
    result.scrollIntoView({ block: "start" });
    result.focus({ preventScroll: true });
  }, [results]);
  return ref;
}
