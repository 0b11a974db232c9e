import { useEffect, useState } from "react";
import { onPermissions, onPressed, onTabShown, type ShownTab, tabBeside } from "./tabs.ts";

/** The tab beside the panel, whichever comes to the front; undefined until it is known. */
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
    // A press on the toolbar button tells us an address, as leave to follow does, and is no change of the tab itself.
    const stops = [onPressed(again), onTabShown(again), onPermissions(again)];
    return () => {
      isLeft = true;
      for (const stop of stops) stop();
    };
  }, []);
  return tab;
}
