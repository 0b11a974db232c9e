import { useEffect, useEffectEvent } from "react";

/**
 * Runs in each frame while active, for something that floats next to content: that content moves with the window, its
 * scroll position, panels beside it and its own text.
 */
export function useEachFrame(isActive: boolean, run: () => void): void {
  const onFrame = useEffectEvent(run);
  useEffect(() => {
    if (!isActive) return undefined;
    let frame = 0;
    const next = () => {
      onFrame();
      frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [isActive]);
}
