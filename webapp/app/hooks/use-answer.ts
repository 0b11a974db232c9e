import { useCallback, useEffect, useState } from "react";

export type Answer<T> = { state: "loading" } | { state: "failed"; error: unknown } | { state: "ready"; value: T };

const answerOf = <T>(ask: () => Promise<T>): Promise<Answer<T>> =>
  ask().then(
    (value) => ({ state: "ready", value }),
    (error: unknown) => ({ state: "failed", error }),
  );

/** The result of a call made when the component mounts. `load` must be stable: a new function loads again. */
export function useAnswer<T>(ask: () => Promise<T>) {
  const [answer, setAnswer] = useState<Answer<T>>({ state: "loading" });
  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      const given = await answerOf(ask);
      if (isWanted) setAnswer(given);
    };
    void begin();
    return () => {
      isWanted = false;
    };
  }, [ask]);
  const retry = useCallback(() => {
    setAnswer({ state: "loading" });
    void answerOf(ask).then(setAnswer);
  }, [ask]);
  const keep = useCallback((value: T) => setAnswer({ state: "ready", value }), []);
  return { answer, retry, keep };
}
