import { useEffect } from "react";

/** Asks for the screen to stay lit; a browser that will not, or a low battery, changes nothing else. */
function askForLight(): Promise<WakeLockSentinel | undefined> {
  const light: WakeLock | undefined = navigator.wakeLock;
  return light ? light.request("screen").catch(() => undefined) : Promise.resolve(undefined);
}

/** Keeps the screen lit while this is shown. The browser takes it back whenever the window is hidden. */
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
