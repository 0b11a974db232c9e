import { type RefObject, useEffect, useRef } from "react";

/** The share of the window in which the beginning of a result counts as seen. */
const SEEN_SHARE = 0.6;

/** Moves to a result that begins outside what is seen of the page, each time there is a new one. */
export function useReveal<E extends HTMLElement>(results: number): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    const result = ref.current;
    if (results === 0 || !result) return;
    const { top } = result.getBoundingClientRect();
    if (top >= 0 && top < window.innerHeight * SEEN_SHARE) return;
    result.scrollIntoView({ block: "start" });
    result.focus({ preventScroll: true });
  }, [results]);
  return ref;
}
