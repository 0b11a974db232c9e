// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Preferences } from "#shared/user/schema.ts";
import { openApp, type Answers } from "#tests/kit/browser/web.tsx";

// Screens are loaded in chunks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const getFit = () => ({ reviews: 120, needed: 400, fit: null });

test("retention, new cards and easy days can be set in the settings, and invalid numbers are refused", async () => {
  const saved: Preferences[] = [];
  const savePreferences = (sent: unknown) => {
    saved.push(Preferences.parse(sent));
    return Preferences.parse(sent);
  };
  await openApp("/settings", { signedIn: true, answers: { user: { savePreferences }, study: { getFit } } });
  const user = userEvent.setup();
  const retention = await screen.findByLabelText("Desired retention (%)");
  await user.clear(retention);
  await user.type(retention, "99");
  await screen.findByText("Enter a whole number from 70 to 97.");
  await user.tab();
  expect(saved).toEqual([]);
  await user.clear(retention);
  await user.type(retention, "85{Enter}");
  await waitFor(() => expect(saved.at(-1)?.flashcards.desired_retention).toBe(0.85));
  await user.selectOptions(screen.getByLabelText("Sunday"), "Minimum");
  await waitFor(() => expect(saved.at(-1)?.flashcards.easy_days).toEqual([1, 1, 1, 1, 1, 1, 0]));
  await screen.findByText("You have 120 answers. Tuning needs 400.");
});

test("automatic fitting is shown, can be reset to defaults, and then stays off", async () => {
  const fitted = { fittedAt: Date.now(), reviews: 900, lossBefore: 0.41, lossAfter: 0.38 };
  let fit: (typeof fitted & { startedBy: "schedule" }) | null = { ...fitted, startedBy: "schedule" };
  const saved: Preferences[] = [];
  const savePreferences = (sent: unknown) => {
    saved.push(Preferences.parse(sent));
    return Preferences.parse(sent);
  };
  const study: Answers["study"] = {
    getFit: () => ({ reviews: 900, needed: 400, fit }),
    removeFit: () => {
      fit = null;
      return { reviews: 900, needed: 400, fit: null };
    },
  };
  await openApp("/settings", { signedIn: true, answers: { study, user: { savePreferences } } });
  await screen.findByText(/^Tuned automatically .*from 900 answers/);
  const automaticSwitch = screen.getByRole("switch", { name: "Tune the scheduler automatically" });
  expect(automaticSwitch).toHaveProperty("checked", true);
  await userEvent.setup().click(screen.getByRole("button", { name: "Reset to defaults" }));
  await screen.findByText("Scheduler reset to defaults.");
  await waitFor(() => expect(saved.at(-1)?.flashcards.fit_by_itself).toBe(false));
  expect(screen.queryByRole("button", { name: "Reset to defaults" })).toBeNull();
});

test("a fit that finds no better parameters says that nothing changed", async () => {
  const study: Answers["study"] = {
    getFit: () => ({ reviews: 900, needed: 400, fit: null }),
    fitWeights: () => ({ state: "unchanged", reviews: 900, needed: 400, lossBefore: 0.38, lossAfter: 0.39 }),
  };
  await openApp("/settings", { signedIn: true, answers: { study } });
  await userEvent.setup().click(await screen.findByRole("button", { name: "Tune now" }));
  await screen.findByText("Your current settings already predict you best, so they stay.");
});

test("fitting can be started in the settings and shows its result", async () => {
  let fit: { fittedAt: number; reviews: number; lossBefore: number; lossAfter: number; startedBy: "student" } | null =
    null;
  const study: Answers["study"] = {
    getFit: () => ({ reviews: 900, needed: 400, fit }),
    fitWeights: () => {
      fit = { fittedAt: Date.now(), reviews: 900, lossBefore: 0.41, lossAfter: 0.38, startedBy: "student" };
      return { state: "fitted", reviews: 900, needed: 400, lossBefore: 0.41, lossAfter: 0.38 };
    },
  };
  await openApp("/settings", { signedIn: true, answers: { study } });
  await userEvent.setup().click(await screen.findByRole("button", { name: "Tune now" }));
  await screen.findByText(/^Done\. Your schedule is now tuned/);
  expect(screen.getByText(/prediction error was 0.410 before and 0.380 after/)).toBeDefined();
});
