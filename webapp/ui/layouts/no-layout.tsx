import { Outlet, useMatches } from "@tanstack/react-router";
import { useSession } from "#webapp/app/session/use-session.ts";
import { SidebarFrame } from "./sidebar-frame.tsx";

/** For screens that fill the window with their own layout. Some of them can have a pinned sidebar. */
export function NoLayout() {
  useSession();
  const hasSidebar = useMatches({ select: (matches) => matches.at(-1)?.staticData.hasSidebar ?? false });
  return hasSidebar ? (
    <SidebarFrame>
      <Outlet />
    </SidebarFrame>
  ) : (
    <Outlet />
  );
}
