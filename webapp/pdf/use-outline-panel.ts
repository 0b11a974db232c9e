import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { writeLocal } from "#webapp/app/browser/local-storage.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { useLeftPanel } from "#webapp/app/one-panel.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { isOutlineWanted, OUTLINE_AND_SIDEBAR_FIT, OUTLINE_FITS, OUTLINE_KEY } from "./viewer/outline-space.ts";

export interface OutlinePanelState {
  /** Whether the window is wide enough for the panel; otherwise the outline is a tab of the side panel. */
  fits: boolean;
  isOpen: boolean;
  toggle: () => void;
}

/** The outline panel on the left. In a wide window it is open until the student closes it. */
export function useOutlinePanel(): OutlinePanelState {
  const isSidebarPinned = useAtomValue(preferencesAtom).sidebar.pinned;
  const fits = useMediaQuery(isSidebarPinned ? OUTLINE_AND_SIDEBAR_FIT : OUTLINE_FITS);
  const [isWanted, setWanted] = useState(isOutlineWanted);
  const toggle = () => {
    writeLocal(OUTLINE_KEY, String(!isWanted));
    setWanted(!isWanted);
  };
  const isOpen = fits && isWanted;
  useLeftPanel(isOpen);
  return { fits, isOpen, toggle };
}
