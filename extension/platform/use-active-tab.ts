import { useEffect, useState } from "react";
import { onPermissionChange, onToolbarPress, onTabShown, type ShownTab, findActiveTab } from "./tabs.ts";

/** The active tab of this window; undefined until it is known. */
export function useActiveTab(): ShownTab | undefined {
  const [tab, setTab] = useState<ShownTab>();
  useEffect(() => {
    let isUnmounted = false;
    const read = async () => {
      const found = await findActiveTab();
      if (!isUnmounted) setTab(found);
    };
    const refresh = () => void read();
    refresh();
    // A press on the toolbar button or a new permission may reveal the address.
    const stops = [onToolbarPress(refresh), onTabShown(refresh), onPermissionChange(refresh)];
    return () => {
      isUnmounted = true;
      for (const stop of stops) stop();
    };
  }, []);
  return tab;
}
