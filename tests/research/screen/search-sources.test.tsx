// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openApp, refuse } from "#tests/kit/browser/web.tsx";

// Screens are loaded in parts, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

test("a list of sources that could not be loaded is not shown as empty, and loads on request", async () => {
  let isDown = true;
  const wikipedia = { name: "wikipedia" as const, state: "ready" as const, problem: null, retryAt: null };
  await openApp("/research", {
    signedIn: true,
    answers: {
      research: {
        listConversations: () => ({ conversations: [] }),
        listSearchSources: () => (isDown ? refuse("broken", "No") : { sources: [wikipedia], model: null }),
      },
    },
  });
  await screen.findByText(/^The list of sources could not be loaded/u);
  isDown = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("switch", { name: /^Wikipedia/u });
  expect(screen.queryByText(/^The list of sources could not be loaded/u)).toBeNull();
});
