// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, expect, test, vi } from "vitest";
import { Failure } from "#shared/contract/failure.ts";
import { closeOverlay, overlayAtom } from "#webapp/app/overlays.ts";
import { store } from "#webapp/app/store.ts";
import { RouteFailure } from "#webapp/ui/error-screen.tsx";
import { CenteredLayout } from "#webapp/ui/layouts/centered-layout.tsx";
import { LandingLayout } from "#webapp/ui/layouts/landing-layout.tsx";

afterEach(() => {
  cleanup();
  closeOverlay();
  vi.restoreAllMocks();
});

/** Renders the screen of a signed-out visitor on which this error was thrown. */
async function renderFailure(error: unknown, reset = () => undefined) {
  const root = createRootRoute({ component: () => <RouteFailure error={error as Error} reset={reset} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <Provider store={store}>
      <RouterProvider router={router as never} />
    </Provider>,
  );
  await router.load();
  return userEvent.setup();
}

test.each([
  [new Failure("not_found", { message: "No such deck" }), "Page not found", "404"],
  [new Failure("forbidden", { message: "This is not yours." }), "This is not yours.", "403"],
  [new Failure("broken", { message: "Something broke." }), "Something broke.", "500"],
  [new Error("The words of an error."), "The words of an error.", "520"],
  [undefined, "Unknown Error", "500"],
])("%s is shown as '%s' with its status", async (error, message, status) => {
  await renderFailure(error);
  screen.getByRole("heading", { name: message });
  screen.getByText(`Status ${status}`);
  expect(screen.getByRole("link", { name: "Go back home" }).getAttribute("href")).toBe("/");
});

test("a visitor who finds nothing sees where to go on", async () => {
  await renderFailure(new Failure("not_found", { message: "No such deck" }));
  const links = within(await screen.findByRole("navigation", { name: "Site" })).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/features",
    "/tools",
    "/explore",
    "/pricing",
    "/help",
    "/login",
    "/register",
  ]);
  expect(screen.getByRole("alert").textContent).toContain("Page not found");
});

test.each([LandingLayout, CenteredLayout])("an error inside a layout gets no second one", async (layout) => {
  const root = createRootRoute();
  const parent = createRoute({ getParentRoute: () => root, id: "layout", component: layout });
  const broken = createRoute({
    getParentRoute: () => parent,
    path: "/",
    component: () => {
      throw new Error("Broken");
    },
  });
  const routeTree = root.addChildren([parent.addChildren([broken])]);
  const router = createRouter({ routeTree, history: createMemoryHistory(), defaultErrorComponent: RouteFailure });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <Provider store={store}>
      <RouterProvider router={router as never} />
    </Provider>,
  );
  await router.load();
  await screen.findByRole("heading", { name: "Broken" });
  expect(screen.getAllByRole("main")).toHaveLength(1);
  expect(screen.getAllByRole("banner")).toHaveLength(1);
});

test("'Report bug' opens the feedback modal, and 'Try again' resets the screen", async () => {
  const reset = vi.fn();
  const user = await renderFailure(new Error("Broken"), reset);
  await user.click(screen.getByRole("button", { name: "Report bug" }));
  expect(store.get(overlayAtom)).toBe("feedback");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(reset).toHaveBeenCalledOnce();
});

test("a missing part of the app is reported as an update, or as a connection problem when offline", async () => {
  const missing = new TypeError("Failed to fetch dynamically imported module: http://x/assets/a.js");
  await renderFailure(missing);
  screen.getByRole("heading", { name: "The app has been updated. Please refresh the page to get the latest version" });
  cleanup();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await renderFailure(missing);
  screen.getByRole("heading", {
    name: "Couldn't connect to the server. Please check your internet connection and try again.",
  });
});

test.each(["Mozilla/5.0 (compatible; Googlebot/2.1)", "Mozilla/5.0 (compatible; Yahoo! Slurp)", "my-spider/1.0"])(
  "no error is rendered for %s",
  async (agent) => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(agent);
    await renderFailure(new Error("Broken"));
    expect(document.body.textContent).toBe("");
  },
);
