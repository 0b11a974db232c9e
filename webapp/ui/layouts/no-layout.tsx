import { Outlet, useMatches } from "@tanstack/react-router";
import { useSession } from "#webapp/app/session/use-session.ts";
import { SidebarFrame } from "./sidebar-frame.tsx";

/** For screens with a full-window layout of their own; beside some of them the sidebar can be pinned. */
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
