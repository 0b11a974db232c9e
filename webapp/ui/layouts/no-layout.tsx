import { Outlet } from "@tanstack/react-router";
import { useSession } from "#webapp/app/session/use-session.ts";

/** For screens with a full-window layout of their own. */
export function NoLayout() {
  useSession();
  return <Outlet />;
}
