import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/** The current time, updated every minute, for relative times on screen. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
