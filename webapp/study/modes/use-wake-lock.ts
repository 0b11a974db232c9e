import { useEffect } from "react";

/** Requests a screen wake lock; a refusal (unsupported, low battery) is ignored. */
function requestWakeLock(): Promise<WakeLockSentinel | undefined> {
  const wakeLock: WakeLock | undefined = navigator.wakeLock;
  return wakeLock ? wakeLock.request("screen").catch(() => undefined) : Promise.resolve(undefined);
}

/** Keeps the screen on while mounted. Browsers release the lock whenever the page is hidden. */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    let isUnmounted = false;
    let sentinel: WakeLockSentinel | undefined;
    const acquire = async () => {
      if (document.visibilityState !== "visible" || (sentinel && !sentinel.released)) return;
      sentinel = await requestWakeLock();
      if (isUnmounted) void sentinel?.release();
    };
    const handleVisibilityChange = () => void acquire();
    handleVisibilityChange();
    document.addEventListener("visibilitychange", handleVisibilityChange);
    return () => {
      isUnmounted = true;
      document.removeEventListener("visibilitychange", handleVisibilityChange);
      void sentinel?.release();
    };
  }, [isOn]);
}
