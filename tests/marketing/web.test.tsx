// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openApp } from "#tests/kit/browser/web.tsx";
import { closeOverlay } from "#webapp/app/overlays.ts";

test("a signed-in user at / is sent to /home", async () => {
  const app = await openApp("/", { signedIn: true });
  await waitFor(() => expect(app.address()).toBe("/home"));
});

test("signed-in visitors of shared content see a link to their workspace instead of sign-in", async () => {
  await openApp("/explore", { signedIn: true });
  const home = await screen.findByRole("link", { name: "Open workspace" });
  expect(home.getAttribute("href")).toBe("/home");
  expect(screen.queryByRole("link", { name: "Sign in" })).toBeNull();
});

test("an address without a screen shows 'Page not found' with its status and the way home", async () => {
  await openApp("/no/such/place");
  await screen.findByRole("heading", { name: "Page not found" });
  expect(screen.getByText("Status 404")).toBeDefined();
  expect(screen.getByRole("link", { name: "Go back home" }).getAttribute("href")).toBe("/");
  expect(screen.queryByRole("navigation", { name: "Workspace" })).toBeNull();
});

test("signed-in users see the error inside the default layout", async () => {
  await openApp("/no/such/place", { signedIn: true });
  await screen.findByRole("navigation", { name: "Workspace" });
  await screen.findByRole("heading", { name: "Page not found" });
});

test("no error page is rendered for bot user agents", async () => {
  const agent = vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (compatible; Googlebot/2.1)");
  await openApp("/no/such/place");
  expect(screen.queryByRole("heading", { name: "Page not found" })).toBeNull();
  agent.mockRestore();
});

test("the help is searched with ?, and shows a message if it cannot be reached", async () => {
  const articles = [
    { path: "/help/study/exam-date", title: "Set an exam date", text: "The plan spreads your cards up to the day." },
    { path: "/help/cards/anki", title: "Export to Anki", text: "Schedules and reviews come along." },
  ];
  let isReachable = false;
  const load = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => (isReachable ? Response.json(articles) : new Response(null, { status: 502 })));
  await openApp("/settings", { signedIn: true });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("heading", { name: "Settings" }));
  await user.keyboard("?");
  await user.type(await screen.findByRole("searchbox", { name: "Search the help" }), "e");
  await screen.findByText("The help cannot be reached right now.");
  isReachable = true;
  await user.keyboard("xam dat");
  await screen.findByText("1 article found");
  expect(screen.getByRole("link", { name: "Set an exam date" }).getAttribute("href")).toBe("/help/study/exam-date");
  load.mockRestore();
  act(closeOverlay);
});
