// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ada, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";
import { aDueDeck, withDueDecks } from "./due-decks.ts";

// Screens are loaded in chunks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const statistics = {
  days: [
    { ago: 0, reviews: 12, minutes: 3 },
    { ago: 2, reviews: 30, minutes: 8 },
    ...[8, 9, 10].map((ago) => ({ ago, reviews: 4, minutes: 2 })),
  ],
  forecast: [5, 2, 0, 7, 1, 1],
  calibration: {
    count: 40,
    predicted: 0.91,
    actual: 0.88,
    logLoss: 0.352,
    bins: [0.55, 0.65, 0.75, 0.85, 0.91].map((predicted) => ({ predicted, actual: 0.88, count: 8 })),
  },
  secondsPerReview: 7.6,
  isFitted: false,
};

const sample = { ...aDueDeck("tries", "Sample"), pageId: `sample-tries-${ada._id}`, due: 30 };
const answers = withDueDecks(aDueDeck("deck", "Key terms"), sample);
type GetStatistics = NonNullable<NonNullable<Answers["study"]>["getStatistics"]>;

const open = (path: string, getStatistics: GetStatistics = () => statistics) =>
  openApp(path, { signedIn: true, answers: { ...answers, study: { ...answers.study, getStatistics } } });
const openStatistics = (getStatistics?: GetStatistics) => open("/home?show=statistics", getStatistics);

test("statistics are reached from home, and count only cards of the student's own decks", async () => {
  const app = await open("/home");
  await userEvent.setup().click(await screen.findByRole("link", { name: "Statistics" }));
  await screen.findByRole("heading", { level: 1, name: "Statistics" });
  expect(app.address()).toBe("/home?show=statistics");
  await screen.findByText("in 11 min");
  expect(screen.getByText("You remember 9 of 10 cards when they come up again.")).toBeDefined();
  expect(screen.getByRole("link", { name: "Study 4 due cards" }).getAttribute("href")).toContain("all=");
  expect(screen.getByText(/^4 due today, 15 within 7 days/u)).toBeDefined();
});

test("every chart is available as a table, and the technical figures are folded away", async () => {
  await openStatistics();
  await screen.findByText("in 11 min");
  expect(screen.getAllByRole("img").length).toBeGreaterThanOrEqual(3);
  expect(screen.getAllByText("Show as table")).toHaveLength(4);
  const retention = screen.getByRole("table", { name: "Expected and actual recall", hidden: true });
  expect(within(retention).getAllByText("88%")).toHaveLength(5);
  expect(screen.getByText("0.352").closest("details")).not.toBeNull();
});

test("the line is explained only where the chart with the line is shown", async () => {
  const explanation = /On the line, actual recall matched/u;
  const { unmount } = await openStatistics();
  expect(await screen.findByText(explanation)).toBeDefined();
  unmount();
  await openStatistics(() => ({ ...statistics, calibration: { ...statistics.calibration, bins: [] } }));
  expect(await screen.findByText(/at least one day apart/u)).toBeDefined();
  expect(screen.queryByText(explanation)).toBeNull();
});

const MONTHS = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/u;

test("study days are shown for half a year, and for a year once the student has studied that long", async () => {
  const { unmount } = await openStatistics();
  await screen.findByRole("heading", { name: "Past 6 months" });
  expect(screen.getAllByText(MONTHS).length).toBeLessThan(8);
  // What the days add up to is beside them.
  expect(screen.getByText("Study days").nextSibling?.textContent).toMatch(/^\d+\d+ answers a day$/u);
  expect(screen.getByText("Most in a day").nextSibling?.textContent).toContain("answers");
  unmount();
  const days = [...statistics.days, { ago: 300, reviews: 3, minutes: 1 }];
  await openStatistics(() => ({ ...statistics, days }));
  await screen.findByRole("heading", { name: "Past 12 months" });
  expect(screen.getAllByText(MONTHS).length).toBeGreaterThan(8);
});

test("what is remembered is shown beside its goal, and each own deck with its work of today", async () => {
  const decks = withDueDecks(
    { ...aDueDeck("deck", "Key terms"), due: 0, learning: 2, fresh: 0, total: 20 },
    { ...aDueDeck("cells", "Cells"), due: 7, fresh: 3, total: 10 },
  );
  await openApp("/home?show=statistics", {
    signedIn: true,
    answers: { ...decks, study: { ...decks.study, getStatistics: () => statistics } },
  });
  await screen.findByText("Goal: 90%");
  const titles = screen.getAllByRole("link", { name: /Key terms|Cells/u }).map((link) => link.textContent);
  expect(titles).toEqual(["Cells", "Key terms"]);
  expect(screen.getByText("7 of 10 cards studied")).toBeDefined();
  expect(screen.getByText("Nothing today")).toBeDefined();
  // Cards that come back later today are not called due.
  expect(screen.getByText(/^7 due now, 2 back later today/u)).toBeDefined();
});

test("before the first answer, statistics lead to the first cards", async () => {
  await openStatistics(() => ({ ...statistics, days: [] }));
  const link = await screen.findByRole("link", { name: "Study your first cards" });
  expect(link.getAttribute("href")).toContain("/study/deck");
});

test("the chart of study days has month labels, a scale, and an accessible name for each day with answers", async () => {
  await openStatistics();
  const year = within(await screen.findByRole("list", { name: "5 study days" }));
  expect(year.getAllByRole("listitem").map((day) => day.getAttribute("aria-label")?.split(": ")[1])).toEqual([
    "4 answers",
    "4 answers",
    "4 answers",
    "30 answers",
    "12 answers",
  ]);
  expect(screen.getAllByText(MONTHS).length).toBeGreaterThanOrEqual(4);
  expect(screen.getByText("30 answers", { selector: ".chart-scale *, .chart-scale" })).toBeDefined();
});

test("the chart of the past 30 days has a scale up to its busiest day, and shows answers or minutes", async () => {
  await openStatistics();
  await screen.findByRole("heading", { name: "Past 30 days" });
  const chart = screen.getByRole("img", { name: "Answers on each of the last 30 days" }).closest("figure");
  const scale = [...(chart?.querySelectorAll(".chart-ticks span") ?? [])].map((tick) => tick.textContent);
  expect(scale).toEqual(["30", "20", "10", "0"]);
  await userEvent.setup().click(screen.getByRole("radio", { name: "Minutes" }));
  expect(screen.getByRole("img", { name: "Minutes of study on each of the last 30 days" })).toBeDefined();
});

test("with too few answers the statistics show a sentence instead of charts", async () => {
  const few = {
    ...statistics,
    days: statistics.days.slice(0, 2),
    forecast: [8],
    calibration: { ...statistics.calibration, count: 3 },
  };
  await openStatistics(() => few);
  // Without charts only the total is shown.
  await screen.findByText("You have answered 42 cards so far.");
  expect(screen.queryByRole("heading", { name: "Upcoming reviews" })).toBeNull();
  expect(screen.queryByRole("heading", { name: "Past 30 days" })).toBeNull();
});

test("statistics that fail to load show an error with a retry", async () => {
  let isServerUp = false;
  await openStatistics(() => (isServerUp ? statistics : refuse("broken", "No")));
  await screen.findByText("Statistics could not be loaded");
  isServerUp = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("in 11 min");
});
