// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { advance } from "#shared/study/rules.ts";
import { pickNext, startStudySession } from "#shared/study/session.ts";
import { store } from "#webapp/app/store.ts";
import { plannedTodayAtom, showPlannedToday } from "#webapp/study/exam/planned-today.ts";
import { openApp, type Answers } from "#tests/kit/browser/web.tsx";
import { aDueDeck, withDueDecks } from "../screens/due-decks.ts";

// Screens are loaded in chunks, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const DAY_MS = 86_400_000;

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
  const answers = withDueDecks(aDueDeck("deck", "Key terms"));
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
  const decks = [aDueDeck("deck", "Key terms", Date.now() + DAY_MS)];
  const exam = { key: "deck", decks, examAt: Date.now() + DAY_MS, minutesPerDay: 20 };
  showPlannedToday(exam, { state: "unknown" });
  const before = store.get(plannedTodayAtom);
  expect(before.get("deck")).toBeNull();
  showPlannedToday({ ...exam, decks: decks.map((deck) => ({ ...deck })) }, { state: "unknown" });
  expect(store.get(plannedTodayAtom)).toBe(before);
});

test("a past exam is shown on home and can be removed with one click", async () => {
  const sent: unknown[] = [];
  const answers = withDueDecks(aDueDeck("deck", "Key terms", Date.now() - DAY_MS));
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
