// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tools as german } from "#shared/messages/de/public/tools.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import { fromFragment, toFragment } from "#webapp/marketing/schedule/schedule-state.ts";
import { ScheduleTool } from "#webapp/marketing/schedule/schedule-tool.tsx";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

const aForm = (topics: number, exam = "2026-12-07") => ({
  name: "Biology",
  start: "2026-11-23",
  exam,
  topics: Array.from({ length: topics }, (_, index) => `Topic ${index + 1}`).join("\n"),
  // One day a week, because long tables take long to render.
  hours: [0, 0, 0, 0, 0, 0, 16],
  withReviews: true,
});

beforeEach(() => {
  vi.useFakeTimers();
  setToolWords(tools, "en");
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  history.replaceState(null, "", "#");
});

function open(form: ReturnType<typeof aForm>): void {
  history.replaceState(null, "", `#${toFragment(form)}`);
  render(<ScheduleTool />);
}

test("a plan says how many topics and days it leaves out", () => {
  open(aForm(60, "2027-11-24"));
  expect(screen.queryByText(/left out/)).toBeNull();
  cleanup();
  open(aForm(63, "2027-12-24"));
  expect(screen.getByText(/^A plan has at most 60 topics: your last 3 are left out/)).toBeDefined();
  expect(
    screen.getByText(/^A plan covers at most 366 days: the last 30 days before the exam are left out/),
  ).toBeDefined();
  cleanup();
  setToolWords(german, "de");
  open(aForm(61, "2027-11-25"));
  expect(screen.getByText(/^Ein Plan hat höchstens 60 Themen: Dein letztes fehlt/)).toBeDefined();
  expect(screen.getByText(/^Ein Plan umfasst höchstens 366 Tage: Der letzte Tag vor der Prüfung fehlt/)).toBeDefined();
});

test("sixty long topics are all in the address", () => {
  const form = { ...aForm(60), topics: Array.from({ length: 60 }, (_, at) => `${at} ${"a".repeat(100)}`).join("\n") };
  expect(fromFragment(toFragment(form), "2026-01-01").topics).toBe(form.topics);
});

const nameInAddress = () => fromFragment(location.hash, "").name;

function runTimers(): void {
  act(() => {
    vi.runAllTimers();
  });
}

test("typing changes the address once it pauses, and at once when the field or the page is left", () => {
  open(aForm(3));
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Exam or course" });
  const replace = vi.spyOn(history, "replaceState");
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  for (const value of ["C", "Ch", "Che", "Chem"]) type(value);
  expect(replace).not.toHaveBeenCalled();
  runTimers();
  expect(replace).toHaveBeenCalledOnce();
  expect(nameInAddress()).toBe("Chem");
  type("Chemis");
  fireEvent.blur(field);
  expect(nameInAddress()).toBe("Chemis");
  type("Chemistry");
  window.dispatchEvent(new Event("pagehide"));
  expect(nameInAddress()).toBe("Chemistry");
  runTimers();
  expect(replace).toHaveBeenCalledTimes(3);
});
