import { useEffect } from "react";

/** Requests a screen wake lock; a refusal (unsupported, low battery) is ignored. */
function askForLight(): Promise<WakeLockSentinel | undefined> {
  const light: WakeLock | undefined = navigator.wakeLock;
  return light ? light.request("screen").catch(() => undefined) : Promise.resolve(undefined);
}

/** Keeps the screen on while mounted. Browsers release the lock whenever the page is hidden. */
export function useAwake(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    let isOver = false;
    let held: WakeLockSentinel | undefined;
    const hold = async () => {
      if (document.visibilityState !== "visible" || (held && !held.released)) return;
      held = await askForLight();
      if (isOver) void held?.release();
    };
    const seen = () => void hold();
    seen();
    document.addEventListener("visibilitychange", seen);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", seen);
      void held?.release();
    };
  }, [isOn]);
}
