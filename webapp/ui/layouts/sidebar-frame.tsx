import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { SIDEBAR_FITS, SidebarOpenerContext } from "../sidebar/sidebar-state.ts";
import "./sidebar-frame.css";

/** Loaded on demand, so that the screen does not wait for the sidebar. */
const ScreenSidebar = lazy(async () => ({ default: (await import("../sidebar/screen-sidebar.tsx")).ScreenSidebar }));

/** Saves whether the sidebar is pinned. Pinning also expands the sidebar on other screens. */
const savePinned = (pinned: boolean) =>
  void changePreferences((all) => ({
    ...all,
    sidebar: { ...all.sidebar, pinned, ...(pinned && { minimized: false }) },
  }));

/** Shows the sidebar beside a screen such as a page or document, if it is pinned and the window is wide enough. */
export function SidebarFrame({ children }: { children: ReactNode }) {
  const fits = useMediaQuery(SIDEBAR_FITS);
  const isPinned = useAtomValue(preferencesAtom).sidebar.pinned && fits;
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  // The pressed button disappears, so the focus moves to the button that replaces it.
  const frame = useRef<HTMLDivElement>(null);
  const [wasPressed, setPressed] = useState(false);
  const setPinned = (pinned: boolean) => {
    setPressed(true);
    savePinned(pinned);
  };
  useEffect(() => {
    if (wasPressed && !isPinned) frame.current?.querySelector<HTMLElement>(".sidebar-opener")?.focus();
  }, [wasPressed, isPinned]);
  const open = fits ? () => setPinned(true) : () => setDrawerOpen(true);
  return (
    <div ref={frame} className="framed" data-pinned={isPinned}>
      <div className="framed-side">
        {(isPinned || isDrawerOpen) && (
          <Suspense>
            <ScreenSidebar
              isPinned={isPinned}
              takesFocus={wasPressed}
              onUnpin={() => setPinned(false)}
              isDrawerOpen={isDrawerOpen}
              onDrawerClose={() => setDrawerOpen(false)}
            />
          </Suspense>
        )}
      </div>
      <div className="framed-main">
        <SidebarOpenerContext value={isPinned ? undefined : open}>{children}</SidebarOpenerContext>
      </div>
    </div>
  );
}
