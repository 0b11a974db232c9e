import { lazy, Suspense } from "react";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRoute,
  type RouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";
import { forceRescrollState, setNavigate } from "#webapp/app/navigation.ts";
import { isPublicPage } from "#shared/marketing/match-screen.ts";
import { screens, type Screen, type ScreenName } from "#shared/screens.ts";
import { ErrorBoundary } from "#webapp/ui/error-boundary.tsx";
import { Root } from "#webapp/ui/layouts/root.tsx";
import { NotFound, RouteFailure } from "#webapp/ui/error-screen.tsx";
import { screenComponents } from "./screen-components.ts";
import { guardAccess } from "./access-guard.ts";

/** Loaded after the screen, because it needs the session code, which the first screen may not need. */
const DeferredOverlays = lazy(async () => ({ default: (await import("./deferred-overlays.tsx")).DeferredOverlays }));

const root = createRootRoute({
  component: () => (
    <>
      <Root />
      <ErrorBoundary>
        <Suspense>
          <DeferredOverlays />
        </Suspense>
      </ErrorBoundary>
    </>
  ),
});

const layouts: Record<Screen["layout"], AnyRoute> = {
  landing: createLayout(
    "landing",
    lazyRouteComponent(() => import("#webapp/ui/layouts/landing-layout.tsx"), "LandingLayout"),
  ),
  default: createLayout(
    "default",
    lazyRouteComponent(() => import("#webapp/ui/layouts/default-layout.tsx"), "DefaultLayout"),
  ),
  centered: createLayout(
    "centered",
    lazyRouteComponent(() => import("#webapp/ui/layouts/centered-layout.tsx"), "CenteredLayout"),
  ),
  none: createLayout(
    "none",
    lazyRouteComponent(() => import("#webapp/ui/layouts/no-layout.tsx"), "NoLayout"),
  ),
};

function createLayout(id: string, component: RouteComponent): AnyRoute {
  return createRoute({ getParentRoute: () => root, id, component });
}

/** `/page/:id/study/*rest` in the screens table is `/page/$id/study/$` for the router. */
const toRouterPath = (path: string) => path.replaceAll(/:(\w+)/g, "$$$1").replaceAll(/\*\w+/g, "$$");

/** Screens without the default layout that still can have a pinned sidebar. */
const SIDEBAR_SCREENS: ReadonlySet<string> = new Set<ScreenName>(["page", "pdf", "deck", "video"]);

function createRoutes(name: Screen["layout"]): AnyRoute[] {
  const parent = layouts[name];
  return Object.entries(screenComponents)
    .filter(([screen]) => screens[screen as ScreenName].layout === name)
    .map(([screen, component]) => {
      const { path, access, title } = screens[screen as ScreenName];
      return createRoute({
        getParentRoute: () => parent,
        path: toRouterPath(path),
        component,
        staticData: { title, access, hasSidebar: SIDEBAR_SCREENS.has(screen) },
        beforeLoad: ({ location }) => guardAccess(access, location.href),
      });
    });
}

/**
 * Public pages are separate documents, so a link to a public page leaves the app. If such an address still shows the
 * app, the page does not exist or there is no network.
 */
const publicPages = (Object.keys(screens) as ScreenName[])
  .filter((name) => isPublicPage(name) && !(name in screenComponents))
  .map((name) =>
    createRoute({
      getParentRoute: () => root,
      path: toRouterPath(screens[name].path),
      component: NotFound,
      beforeLoad: async ({ location, preload }) => {
        guardAccess(screens[name].access, location.href);
        if (preload || new URL(location.href, document.baseURI).pathname === document.location.pathname) return;
        document.location.assign(location.href);
        // Never resolves, so that the app stays on screen until the browser has loaded the document.
        await new Promise(() => undefined);
      },
    }),
  );

/** Only in development: a gallery with every component in every state. */
const gallery = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: "/_ui",
        component: lazyRouteComponent(() => import("#webapp/ui/gallery-screen.tsx"), "GalleryScreen"),
      }),
    ]
  : [];

/** Builds the router from the screens table. */
export function createAppRouter(history?: RouterHistory) {
  const tree = root.addChildren([
    ...Object.entries(layouts).map(([name, route]) => route.addChildren(createRoutes(name as Screen["layout"]))),
    ...publicPages,
    ...gallery,
  ]);
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
    defaultPreload: "intent",
    // Off while prerendering, because it would insert an inline script, which the content security policy blocks.
    scrollRestoration: !import.meta.env.SSR,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteFailure,
  });
}

/**
 * Connects `goTo` to the router. If the address names something on the open screen, such as a cited passage, the screen
 * scrolls there itself, so the router must not reset the scroll position.
 */
export function connectNavigation(router: ReturnType<typeof createAppRouter>): void {
  setNavigate((href) => {
    const { pathname, searchStr, hash } = router.latestLocation;
    const next = new URL(href, document.baseURI);
    const isOnScreen = next.pathname === pathname && (next.search !== "" || next.hash !== "");
    const nextSearch = router.options.stringifySearch(router.options.parseSearch(next.search));
    const isSame = nextSearch === searchStr && next.hash.slice(1) === hash;
    const options = { resetScroll: false, replace: isSame, state: forceRescrollState };
    void router.navigate({ href, ...(isOnScreen && options) });
  });
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Counts arrivals at the open screen. */
    arrival?: number;
  }
  interface StaticDataRouteOption {
    title?: string;
    access?: Screen["access"];
    hasSidebar?: boolean;
  }
}
