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
import { screens, type Screen, type ScreenName } from "#shared/screens.ts";
import { Apart } from "#webapp/ui/apart.tsx";
import { Root } from "#webapp/ui/layouts/root.tsx";
import { NotFound, RouteFailure } from "#webapp/ui/error-screen.tsx";
import { built } from "./built.ts";
import { guard } from "./guard.ts";

/** Loaded after the screen: it needs the session, which the landing page does not. */
const Late = lazy(async () => ({ default: (await import("./late.tsx")).Late }));

const root = createRootRoute({
  component: () => (
    <>
      <Root />
      <Apart>
        <Suspense>
          <Late />
        </Suspense>
      </Apart>
    </>
  ),
});

const layouts: Record<Screen["layout"], AnyRoute> = {
  landing: layout(
    "landing",
    lazyRouteComponent(() => import("#webapp/ui/layouts/landing-layout.tsx"), "LandingLayout"),
  ),
  default: layout(
    "default",
    lazyRouteComponent(() => import("#webapp/ui/layouts/default-layout.tsx"), "DefaultLayout"),
  ),
  centered: layout(
    "centered",
    lazyRouteComponent(() => import("#webapp/ui/layouts/centered-layout.tsx"), "CenteredLayout"),
  ),
  none: layout(
    "none",
    lazyRouteComponent(() => import("#webapp/ui/layouts/no-layout.tsx"), "NoLayout"),
  ),
};

function layout(id: string, component: RouteComponent): AnyRoute {
  return createRoute({ getParentRoute: () => root, id, component });
}

/** `/page/:id/study/*rest` in the screens table is `/page/$id/study/$` for the router. */
const routerPath = (path: string) => path.replaceAll(/:(\w+)/g, "$$$1").replaceAll(/\*\w+/g, "$$");

function routesOf(name: Screen["layout"]): AnyRoute[] {
  const parent = layouts[name];
  return Object.entries(built)
    .filter(([screen]) => screens[screen as ScreenName].layout === name)
    .map(([screen, component]) => {
      const { path, access, title } = screens[screen as ScreenName];
      return createRoute({
        getParentRoute: () => parent,
        path: routerPath(path),
        component,
        staticData: { title, access },
        beforeLoad: ({ location }) => guard(access, location.href),
      });
    });
}

/** Development only: every component in every state. */
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
export function makeRouter(history?: RouterHistory) {
  const tree = root.addChildren([
    ...Object.entries(layouts).map(([name, route]) => route.addChildren(routesOf(name as Screen["layout"]))),
    ...gallery,
  ]);
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
    defaultPreload: "intent",
    // When prerendering it would insert an inline script, which the content security policy blocks.
    scrollRestoration: !import.meta.env.SSR,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteFailure,
  });
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: string;
    access?: Screen["access"];
  }
}
