import { Outlet } from "@tanstack/react-router";
import { useSession } from "#webapp/app/session/use-session.ts";

/** For screens that fill the window with their own frame. */
export function NoLayout() {
  useSession();
  return <Outlet />;
}
