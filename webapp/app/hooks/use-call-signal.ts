import { useCallback, useEffect, useRef } from "react";

/** For a component with one call at a time: `begin` aborts the call before, `stop` and unmounting abort the last one. */
export function useCallSignal() {
  const controller = useRef<AbortController>(undefined);
  const stop = useCallback(() => controller.current?.abort(), []);
  const begin = useCallback((): AbortSignal => {
    stop();
    controller.current = new AbortController();
    return controller.current.signal;
  }, [stop]);
  useEffect(() => stop, [stop]);
  return { begin, stop };
}
