import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { SIDEBAR_FITS, SidebarOpenerContext } from "../sidebar/sidebar-state.ts";
import "./sidebar-frame.css";

/** Loaded after the screen, which does not wait for it. */
const ScreenSidebar = lazy(async () => ({ default: (await import("../sidebar/screen-sidebar.tsx")).ScreenSidebar }));

/** A student who pins it wants to see it in full on the other screens too. */
const savePinned = (pinned: boolean) =>
  void changePreferences((all) => ({
    ...all,
    sidebar: { ...all.sidebar, pinned, ...(pinned && { minimized: false }) },
  }));

/** Puts the sidebar beside a page, a document, a deck or a video while it is pinned and the window is wide enough. */
export function SidebarFrame({ children }: { children: ReactNode }) {
  const fits = useMediaQuery(SIDEBAR_FITS);
  const isPinned = useAtomValue(preferencesAtom).sidebar.pinned && fits;
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  // The pressed button disappears, so the focus moves on to the other one.
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
