import { useCallback, useEffect, useState } from "react";

export type AsyncState<T> = { state: "loading" } | { state: "failed"; error: unknown } | { state: "ready"; value: T };

const toAsyncState = <T>(load: () => Promise<T>): Promise<AsyncState<T>> =>
  load().then(
    (value) => ({ state: "ready", value }),
    (error: unknown) => ({ state: "failed", error }),
  );

/** The result of a call made when the component mounts. `load` must be stable: a new function loads again. */
export function useAsyncValue<T>(load: () => Promise<T>) {
  const [answer, setAnswer] = useState<AsyncState<T>>({ state: "loading" });
  useEffect(() => {
    let isMounted = true;
    const start = async () => {
      const result = await toAsyncState(load);
      if (isMounted) setAnswer(result);
    };
    void start();
    return () => {
      isMounted = false;
    };
  }, [load]);
  const retry = useCallback(() => {
    setAnswer({ state: "loading" });
    void toAsyncState(load).then(setAnswer);
  }, [load]);
  const setReady = useCallback((value: T) => setAnswer({ state: "ready", value }), []);
  return { answer, retry, keep: setReady };
}
