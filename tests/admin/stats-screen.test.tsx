// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { FigureWeek } from "#shared/admin/figures-contract.ts";
import { asAdmin, openApp } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const accounts = (count: number) => [{ dims: {}, sums: { accounts: count } }];
const weeks: FigureWeek[] = [
  {
    week: "2026-08-31",
    figures: { signup: accounts(4), active_week: accounts(7), active_month: accounts(31) },
  },
  {
    week: "2026-09-07",
    figures: {
      active_week: accounts(9),
      sites: [{ dims: { model: "m", version: "1" }, sums: { builds: 4, goodAtFirst: 1, repairs: 5, restored: 1 } }],
    },
  },
];

type Figures = { weeks: FigureWeek[]; days: never[] };

const openStats = (getFigures: (sent: Readonly<Record<string, unknown>>) => Figures | Promise<Figures>) =>
  openApp("/admin/stats", {
    signedIn: true,
    answers: {
      auth: asAdmin,
      admin: { getFigures },
    },
  });

/** The rows of a chart's table, with the cells of each. */
const rowsOf = (chart: string) =>
  within(screen.getByRole("table", { name: chart, hidden: true }))
    .getAllByRole("row", { hidden: true })
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test("new accounts and weekly and monthly active accounts are shown over time", async () => {
  await openStats(() => ({ weeks, days: [] }));
  await screen.findByRole("heading", { name: "Activity" });
  expect(rowsOf("New accounts")).toEqual([["Aug 31", "4"]]);
  expect(rowsOf("Active accounts a week")).toEqual([
    ["Aug 31", "7"],
    ["Sep 7", "9"],
  ]);
  expect(rowsOf("Active accounts a month")).toEqual([["Sep 2026", "31"]]);
});

const lastValueOf = (chart: string) => rowsOf(chart).at(-1)?.[1];

test("built sites are shown with their successes at the first check, repairs and restores", async () => {
  await openStats(() => ({ weeks, days: [] }));
  await screen.findByRole("heading", { name: "Quality" });
  expect(lastValueOf("Sites good at the first check")).toBe("25.0%");
  expect(lastValueOf("Repairs per site")).toBe("1.25");
  expect(lastValueOf("Sites restored")).toBe("25.0%");
});

test("while figures of the chosen period load, figures of another period are not shown", async () => {
  const { promise, resolve } = createDeferred<Figures>();
  await openStats((sent) => (sent["weeks"] === "8" ? { weeks, days: [] } : promise));
  await screen.findByRole("heading", { name: "Activity" });
  await userEvent.setup().selectOptions(screen.getByRole("combobox", { name: "Period" }), "26");
  expect(screen.queryByRole("heading", { name: "Activity" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Download CSV" })).toBeNull();
  resolve({ weeks, days: [] });
  await screen.findByRole("heading", { name: "Activity" });
});
