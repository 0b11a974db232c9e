import { useEffect, useState } from "react";
import { onPermissions, onPressed, onTabShown, type ShownTab, tabBeside } from "./tabs.ts";

/** The active tab of this window; undefined until it is known. */
export function useTab(): ShownTab | undefined {
  const [tab, setTab] = useState<ShownTab>();
  useEffect(() => {
    let isLeft = false;
    const read = async () => {
      const found = await tabBeside();
      if (!isLeft) setTab(found);
    };
    const again = () => void read();
    again();
    // A press on the toolbar button or a new permission may reveal the address.
    const stops = [onPressed(again), onTabShown(again), onPermissions(again)];
    return () => {
      isLeft = true;
      for (const stop of stops) stop();
    };
  }, []);
  return tab;
}
