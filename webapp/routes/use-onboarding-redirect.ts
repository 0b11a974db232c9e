import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { screenPath } from "#shared/screens.ts";
import { rememberRoute } from "#webapp/app/session/return-path.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { isOnboardingPath } from "./access-guard.ts";

/**
 * Stores the current route. Redirects to onboarding if the account is new, which `guardAccess` cannot know until the
 * server has responded.
 */
export function useOnboardingRedirect(): void {
  const navigate = useNavigate();
  const user = useAtomValue(userAtom);
  const { pathname, href } = useRouterState({ select: ({ location }) => location });
  const access = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.access });
  const mustRedirect = user?.onboardingComplete === false && access === "user" && !isOnboardingPath(pathname);
  useEffect(() => rememberRoute(pathname), [pathname]);
  useEffect(() => {
    if (mustRedirect) void navigate({ to: screenPath("onboarding", {}), search: { from: href }, replace: true });
  }, [mustRedirect, href, navigate]);
}
