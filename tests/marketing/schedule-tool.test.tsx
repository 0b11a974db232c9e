// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tools as german } from "#shared/messages/de/public/tools.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import { PENDING_CARDS_KEY, type PendingCards } from "#shared/marketing/pending-cards.ts";
import { fromFragment, toFragment } from "#webapp/marketing/schedule/schedule-state.ts";
import { ScheduleTool } from "#webapp/marketing/schedule/schedule-tool.tsx";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

const aForm = (topics: number, exam = "2026-12-07") => ({
  start: "2026-11-23",
  exams: [
    { name: "Biology", exam, topics: Array.from({ length: topics }, (_, index) => `Topic ${index + 1}`).join("\n") },
  ],
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
  localStorage.clear();
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
  expect(screen.getByText(/^An exam has at most 60 topics: your last 3 are left out/)).toBeDefined();
  expect(
    screen.getByText(/^A plan covers at most 366 days: the last 30 days before the exam are left out/),
  ).toBeDefined();
  cleanup();
  setToolWords(german, "de");
  open(aForm(61, "2027-11-25"));
  expect(screen.getByText(/^Eine Prüfung hat höchstens 60 Themen: Dein letztes fehlt/)).toBeDefined();
  expect(screen.getByText(/^Ein Plan umfasst höchstens 366 Tage: Der letzte Tag vor der Prüfung fehlt/)).toBeDefined();
});

test("sixty long topics are all in the address", () => {
  const topics = Array.from({ length: 60 }, (_, at) => `${at} ${"a".repeat(100)}`).join("\n");
  const form = { ...aForm(1), exams: [{ name: "", exam: "2026-12-07", topics }] };
  expect(fromFragment(toFragment(form), "2026-01-01").exams[0]?.topics).toBe(topics);
});

const nameInAddress = () => fromFragment(location.hash, "").exams[0]?.name;

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

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("exams are added and removed, and one without its day or topics is named until it is complete", () => {
  open(aForm(2));
  expect(screen.queryByRole("button", { name: "Remove exam 1" })).toBeNull();
  press("Add another exam");
  const second = within(screen.getByRole("group", { name: "Exam 2" }));
  fireEvent.change(second.getByRole("textbox", { name: "Exam or course" }), { target: { value: "Chemistry" } });
  fireEvent.change(second.getByLabelText("Day of the exam"), { target: { value: "2026-12-14" } });
  expect(screen.getByText("Not in the plan yet: Chemistry. Add the day and the topics.")).toBeDefined();
  fireEvent.change(second.getByRole("textbox", { name: "Topics, one per line" }), { target: { value: "Acids" } });
  expect(screen.queryByText(/Not in the plan yet/)).toBeNull();
  expect(screen.getByRole("heading", { name: "Biology, Chemistry" })).toBeDefined();
  expect(screen.getByText("Exam: Chemistry")).toBeDefined();
  press("Remove exam 1");
  expect(screen.getByRole("heading", { name: "Chemistry" })).toBeDefined();
  runTimers();
  expect(fromFragment(location.hash, "").exams).toEqual([{ name: "Chemistry", exam: "2026-12-14", topics: "Acids" }]);
});

const nameOf = (exam: string) =>
  within(screen.getByRole("group", { name: exam })).getByRole<HTMLInputElement>("textbox", { name: "Exam or course" });

test("a removed exam can be brought back, and the focus stays with the exams", () => {
  open(aForm(2));
  press("Add another exam");
  expect(document.activeElement).toBe(nameOf("Exam 2"));
  fireEvent.change(nameOf("Exam 2"), { target: { value: "Chemistry" } });
  press("Remove exam 1");
  expect(screen.queryByDisplayValue("Biology")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
  press("Undo");
  expect([nameOf("Exam 1").value, nameOf("Exam 2").value]).toEqual(["Biology", "Chemistry"]);
  expect(document.activeElement).toBe(nameOf("Exam 1"));
  expect(screen.queryByText(/Exam removed/)).toBeNull();
});

test("a plan that is kept waits for the account with a task for each day", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  open({ ...aForm(2), hours: [0, 0, 0, 0, 0, 0, 2] });
  press("Keep it");
  expect(assign).toHaveBeenCalledWith("/register");
  const [plan] = JSON.parse(localStorage.getItem(PENDING_CARDS_KEY) ?? "[]") as PendingCards[];
  expect(plan).toMatchObject({ title: "Biology", cards: [] });
  expect(plan?.lines?.map(({ kind, text }) => [kind, text]).slice(1)).toEqual([
    ["task", "Sun, Nov 29: Learn: Topic 1 (70 min); Learn: Topic 2 (50 min)"],
    ["task", expect.stringMatching(/^Sun, Dec 6: /)],
    ["heading", "Mon, Dec 7: Exam, Biology"],
  ]);
});
