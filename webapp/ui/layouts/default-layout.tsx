import { Outlet } from "@tanstack/react-router";
import { Shell } from "./shell.tsx";

export function DefaultLayout() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
