// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { buildPage } from "#shared/pages/present.ts";
import { advance } from "#shared/study/rules.ts";
import { pickNext, startStudySession } from "#shared/study/session.ts";
import { Preferences } from "#shared/user/schema.ts";
import { store } from "#webapp/app/store.ts";
import { plannedTodayAtom, showPlannedToday } from "#webapp/study/exam/planned-today.ts";
import { ada, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

// Screens are loaded in chunks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const DAY_MS = 86_400_000;

const page = buildPage(
  {
    id: "r",
    clientId: "c",
    seq: 1,
    resourceId: "genes",
    type: "page_create",
    createdAt: 1,
    data: { title: "Genes", emoji: null, parent: null, order: 0, isFlashcardPage: false, createdAt: 1 },
  },
  ada._id,
);
const aDeck = (componentId: string, title: string, examAt: number | null = null) => ({
  componentId,
  pageId: "genes",
  title,
  due: 4,
  fresh: 3,
  introduced: 0,
  total: 20,
  examAt,
  minutesPerDay: examAt === null ? null : 20,
  examId: null,
});
const withDecks = (...decks: ReturnType<typeof aDeck>[]): Answers => ({
  pages: { getContent: () => ({ content: { pages: [page], components: [], podcasts: [] } }) },
  study: { getDue: () => ({ decks }) },
});

test("a session asks the plan's cards in order, after learning steps that are due", () => {
  const now = Date.UTC(2026, 8, 1, 12);
  const failedAt = now - 10 * 60_000;
  const step = advance(undefined, { _id: "r", cardId: "d", componentId: "deck", grade: 1, reviewedAt: failedAt });
  const day = { now, startsAt: now - DAY_MS / 3, endsAt: now + DAY_MS / 2 };
  const session = startStudySession({
    cardIds: ["a", "b", "c", "d"],
    schedules: new Map([["d", step]]),
    day,
    choice: "due",
    // The last one is no longer in the deck.
    planned: ["c", "a", "gone"],
    mayStudy: 99,
    counted: new Set(),
  });
  expect(session.current).toBe("d");
  const second = pickNext(session, now);
  const third = pickNext(second, now);
  expect([second.current, third.current, pickNext(third, now).state]).toEqual(["c", "a", "finished"]);
});

test("a past day, zero minutes and no decks each show a message, and nothing is saved", async () => {
  const sent: unknown[] = [];
  const answers = withDecks(aDeck("deck", "Key terms"));
  const study: Answers["study"] = {
    ...answers.study,
    saveExam: (exam) => {
      sent.push(exam);
      return { decks: [] };
    },
  };
  await openApp("/home", { signedIn: true, answers: { ...answers, study } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Plan for an exam" }));
  const dialog = await screen.findByRole("dialog");
  const save = within(dialog).getByRole("button", { name: "Save plan" });
  await user.click(save);
  await within(dialog).findByText("Choose an exam date.");
  await user.type(within(dialog).getByLabelText("Exam date"), "2020-01-01");
  await within(dialog).findByText(/This date is in the past/);
  await user.clear(within(dialog).getByLabelText("Minutes per day"));
  await user.type(within(dialog).getByLabelText("Minutes per day"), "0");
  await within(dialog).findByText(/Enter at least one minute per day/);
  await user.click(within(dialog).getByLabelText("Key terms"));
  await within(dialog).findByText("Choose at least one deck.");
  await user.click(save);
  expect(sent).toEqual([]);
});

test("an unchanged plan does not update the screens that show today's count", () => {
  const decks = [aDeck("deck", "Key terms", Date.now() + DAY_MS)];
  const exam = { key: "deck", decks, examAt: Date.now() + DAY_MS, minutesPerDay: 20 };
  showPlannedToday(exam, { state: "unknown" });
  const before = store.get(plannedTodayAtom);
  expect(before.get("deck")).toBeNull();
  showPlannedToday({ ...exam, decks: decks.map((deck) => ({ ...deck })) }, { state: "unknown" });
  expect(store.get(plannedTodayAtom)).toBe(before);
});

test("a past exam is shown on home and can be removed with one click", async () => {
  const sent: unknown[] = [];
  const answers = withDecks(aDeck("deck", "Key terms", Date.now() - DAY_MS));
  const saveExam = (exam: unknown) => {
    sent.push(exam);
    return { decks: [] };
  };
  await openApp("/home", { signedIn: true, answers: { ...answers, study: { ...answers.study, saveExam } } });
  await screen.findByText(/This exam is over/);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Change: Key terms" }));
  await user.click(await screen.findByRole("button", { name: "Remove exam" }));
  await waitFor(() => expect(sent).toEqual([{ componentIds: ["deck"], examAt: null, minutesPerDay: null }]));
});

const figures = {
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

test("statistics are reached from home, and every chart is available as a table", async () => {
  const sample = { ...aDeck("tries", "Sample"), pageId: `sample-tries-${ada._id}`, due: 30 };
  const answers = withDecks(aDeck("deck", "Key terms"), sample);
  const study: Answers["study"] = { ...answers.study, getStatistics: () => figures };
  const app = await openApp("/home", { signedIn: true, answers: { ...answers, study } });
  await userEvent.setup().click(await screen.findByRole("link", { name: "Statistics" }));
  await screen.findByRole("heading", { level: 1, name: "Statistics" });
  expect(app.address()).toBe("/home?show=statistics");
  await screen.findByText("42 answers in 11 min");
  expect(screen.getByText("You remember 9 of 10 cards when they come up again.")).toBeDefined();
  // Like home, it counts only cards of the student's own decks.
  expect(screen.getByRole("link", { name: "Study 4 due cards" }).getAttribute("href")).toContain("all=");
  expect(screen.getByText(/^4 due today, 15 within 7 days/u)).toBeDefined();
  expect(screen.getByText("0.352").closest("details")).not.toBeNull();
  expect(screen.getAllByRole("img").length).toBeGreaterThanOrEqual(3);
  // The chart of the year has month labels, a scale, and an accessible name for each day with answers.
  const year = within(screen.getByRole("list", { name: "5 study days in the last year" }));
  expect(year.getAllByRole("listitem").map((day) => day.getAttribute("aria-label")?.split(": ")[1])).toEqual([
    "4 answers",
    "4 answers",
    "4 answers",
    "30 answers",
    "12 answers",
  ]);
  expect(screen.getAllByText(/^(Jan|Apr|Jul|Oct)$/u).length).toBeGreaterThanOrEqual(3);
  expect(screen.getByText("30 answers", { selector: ".chart-scale *, .chart-scale" })).toBeDefined();
  expect(screen.getAllByText("Show as table")).toHaveLength(4);
  expect(screen.getByRole("heading", { name: "Past 30 days" })).toBeDefined();
  // The scale of the bars ends at or above the busiest day.
  const chart = screen.getByRole("img", { name: "Answers on each of the last 30 days" }).closest("figure");
  const scale = [...(chart?.querySelectorAll(".chart-ticks span") ?? [])].map((tick) => tick.textContent);
  expect(scale).toEqual(["30", "20", "10", "0"]);
  await userEvent.setup().click(screen.getByRole("radio", { name: "Minutes" }));
  expect(screen.getByRole("img", { name: "Minutes of study on each of the last 30 days" })).toBeDefined();
  const retention = screen.getByRole("table", { name: "Expected and actual recall", hidden: true });
  expect(within(retention).getAllByText("88 %")).toHaveLength(5);
});

test("with too few answers the statistics show a sentence instead of charts", async () => {
  const answers = withDecks(aDeck("deck", "Key terms"));
  const few = {
    ...figures,
    days: figures.days.slice(0, 2),
    forecast: [8],
    calibration: { ...figures.calibration, count: 3 },
  };
  const study: Answers["study"] = { ...answers.study, getStatistics: () => few };
  await openApp("/home?show=statistics", { signedIn: true, answers: { ...answers, study } });
  // Without charts only the total is shown.
  await screen.findByText("You have answered 42 cards so far.");
  expect(screen.queryByRole("heading", { name: "Upcoming reviews" })).toBeNull();
  expect(screen.queryByRole("heading", { name: "Past 30 days" })).toBeNull();
});

test("statistics that fail to load show an error with a retry", async () => {
  let isUp = false;
  const answers = withDecks(aDeck("deck", "Key terms"));
  const getStatistics = () => (isUp ? figures : refuse("broken", "No"));
  const study: Answers["study"] = { ...answers.study, getStatistics };
  await openApp("/home?show=statistics", { signedIn: true, answers: { ...answers, study } });
  await screen.findByText("Statistics could not be loaded");
  isUp = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("42 answers in 11 min");
});

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

test("automatic fitting is shown, can be reverted, and stays off then", async () => {
  const upon = { fittedAt: Date.now(), reviews: 900, lossBefore: 0.41, lossAfter: 0.38 };
  let fit: (typeof upon & { by: "itself" }) | null = { ...upon, by: "itself" };
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
  const byItself = screen.getByRole("switch", { name: "Tune the scheduler automatically" });
  expect(byItself).toHaveProperty("checked", true);
  await userEvent.setup().click(screen.getByRole("button", { name: "Reset to defaults" }));
  await screen.findByText("Scheduler reset to defaults.");
  await waitFor(() => expect(saved.at(-1)?.flashcards.fit_by_itself).toBe(false));
  expect(screen.queryByRole("button", { name: "Reset to defaults" })).toBeNull();
});

test("fitting can be started in the settings and shows its result", async () => {
  let fit: { fittedAt: number; reviews: number; lossBefore: number; lossAfter: number; by: "student" } | null = null;
  const study: Answers["study"] = {
    getFit: () => ({ reviews: 900, needed: 400, fit }),
    fitWeights: () => {
      fit = { fittedAt: Date.now(), reviews: 900, lossBefore: 0.41, lossAfter: 0.38, by: "student" };
      return { state: "fitted", reviews: 900, needed: 400, lossBefore: 0.41, lossAfter: 0.38 };
    },
  };
  await openApp("/settings", { signedIn: true, answers: { study } });
  await userEvent.setup().click(await screen.findByRole("button", { name: "Tune now" }));
  await screen.findByText(/^Done\. Your schedule is now tuned/);
  expect(screen.getByText(/prediction error was 0.410 before and 0.380 after/)).toBeDefined();
});
