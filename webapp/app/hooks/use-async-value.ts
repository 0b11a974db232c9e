import { useCallback, useEffect, useRef, useState } from "react";

export type AsyncState<T> = { state: "loading" } | { state: "failed"; error: unknown } | { state: "ready"; value: T };

type Load<T> = () => Promise<T>;

const LOADING = { state: "loading" } as const;

const toAsyncState = <T>(load: Load<T>): Promise<AsyncState<T>> =>
  load().then(
    (value) => ({ state: "ready", value }),
    (error: unknown) => ({ state: "failed", error }),
  );

/**
 * The result of a call made when the component mounts. `load` must be stable: a new function loads again and hides
 * the earlier result.
 */
export function useAsyncValue<T>(load: Load<T>) {
  const [loaded, setLoaded] = useState<{ load: Load<T>; answer: AsyncState<T> }>({ load, answer: LOADING });
  const latestCall = useRef(0);
  const start = useCallback(async () => {
    latestCall.current += 1;
    const call = latestCall.current;
    const answer = await toAsyncState(load);
    if (call === latestCall.current) setLoaded({ load, answer });
  }, [load]);
  useEffect(() => void start(), [start]);
  const retry = useCallback(() => {
    setLoaded({ load, answer: LOADING });
    void start();
  }, [load, start]);
  const setReady = useCallback(
    (value: T) =>
      setLoaded((current) => (current.load === load ? { load, answer: { state: "ready", value } } : current)),
    [load],
  );
  return { answer: loaded.load === load ? loaded.answer : LOADING, retry, setReady };
}
