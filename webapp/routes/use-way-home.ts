import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { screenPath } from "#shared/screens.ts";
import { rememberRoute } from "#webapp/app/session/return-path.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { isWelcome } from "./guard.ts";

/** Stores the current route, and redirects to onboarding if only the server knew that the account is new. */
export function useWayHome(): void {
  const navigate = useNavigate();
  const user = useAtomValue(userAtom);
  const { pathname, href } = useRouterState({ select: ({ location }) => location });
  const access = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.access });
  const isForced = user?.onboardingComplete === false && access === "user" && !isWelcome(pathname);
  useEffect(() => rememberRoute(pathname), [pathname]);
  useEffect(() => {
    if (isForced) void navigate({ to: screenPath("onboarding", {}), search: { from: href }, replace: true });
  }, [isForced, href, navigate]);
}
