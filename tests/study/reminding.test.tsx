// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { dueReminderDay, buildReminder } from "#shared/study/reminder.ts";
import { Preferences } from "#shared/user/schema.ts";
import { noNetwork, openApp, type Answers } from "#tests/kit/browser/web.tsx";
import type { BrowserNotification } from "#webapp/app/browser/browser-notifications.ts";
import { showReminderIfDue, type ReminderDeps } from "#webapp/study/home/reminders.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// 17:00 in London, where Ada is, which in November is 17:00 UTC.
const FIVE_PM = Date.UTC(2026, 10, 20, 17);

const aDeck = (title: string, due: number) => ({
  componentId: `deck-${title}`,
  pageId: "page",
  title,
  due,
  learning: 0,
  learningAt: null,
  fresh: 3,
  introduced: 0,
  total: 20,
  examAt: null,
  minutesPerDay: null,
  examId: null,
});
const reminderSettings = (isOn: boolean, at = "17:00") => ({ notifications: { due_cards: isOn, due_at: at } });

test("a reminder comes within four hours after the chosen time, by the student's own clock", () => {
  const london = { at: "17:00", timezone: "Europe/London" };
  expect(dueReminderDay(london, FIVE_PM - 1)).toBeUndefined();
  expect(dueReminderDay(london, FIVE_PM)).toBe("2026-11-20");
  expect(dueReminderDay(london, FIVE_PM + 4 * HOUR_MS - 1)).toBe("2026-11-20");
  expect(dueReminderDay(london, FIVE_PM + 4 * HOUR_MS)).toBeUndefined();
  // In Auckland it is the next morning.
  expect(dueReminderDay({ at: "06:30", timezone: "Pacific/Auckland" }, FIVE_PM)).toBeUndefined();
  expect(dueReminderDay({ at: "06:30", timezone: "Pacific/Auckland" }, FIVE_PM + HOUR_MS)).toBe("2026-11-21");
  // A reminder set for late evening does not come after midnight.
  expect(dueReminderDay({ at: "23:30", timezone: "Europe/London" }, FIVE_PM + 7 * HOUR_MS)).toBeUndefined();
});

test("a reminder counts the due cards and opens the deck with the most; with nothing due there is none", () => {
  expect(buildReminder([])).toBeUndefined();
  expect(buildReminder([aDeck("Genes", 0)])).toBeUndefined();
  expect(buildReminder([aDeck("Genes", 2), aDeck("Cells", 7), aDeck("Maths", 0)])).toMatchObject({
    count: 9,
    deck: { title: "Cells" },
  });
});

let days = 0;

/** The app as Ada, in a browser that shows notifications; each browser starts on a day of its own. */
async function aBrowser(answers: Answers, permission: NotificationPermission = "granted") {
  days += 1;
  const world = { now: FIVE_PM + days * 7 * DAY_MS, isLooking: false, shown: [] as BrowserNotification[] };
  const deps: ReminderDeps = {
    now: () => world.now,
    permission: () => permission,
    isWindowFocused: () => world.isLooking,
    show: async (notice) => {
      world.shown.push(notice);
      return true;
    },
  };
  const app = await openApp("/settings", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Sign-in" });
  await waitFor(() => expect(app.calls).toContain("user.getPreferences"));
  return { app, world, remind: () => showReminderIfDue(deps) };
}

const answersWith = (preferences: object, ...decks: ReturnType<typeof aDeck>[]): Answers => ({
  user: { getPreferences: () => Preferences.parse(preferences), savePreferences: (sent) => Preferences.parse(sent) },
  study: { getDue: () => ({ decks }) },
});

test("one silent reminder a day shows the due cards and opens the session, and the next one comes the next day", async () => {
  const { world, remind } = await aBrowser(answersWith(reminderSettings(true), aDeck("Cells", 7), aDeck("Genes", 2)));
  world.now -= 60_000;
  await remind();
  expect(world.shown).toEqual([]);
  world.now += 60_000;
  await Promise.all([remind(), remind()]);
  world.now += HOUR_MS;
  await remind();
  expect(world.shown).toEqual([
    {
      title: "9 cards are due",
      body: "Start with “Cells”",
      tag: "lamplight-due",
      path: "/page/page/study/deck-Cells",
    },
  ]);
  // After the laptop slept for three days, one reminder comes, not three.
  world.now += 3 * DAY_MS;
  await remind();
  await remind();
  expect(world.shown).toHaveLength(2);
});

test("no reminder comes while nothing is due, and one comes as soon as a card is due", async () => {
  let decks = [aDeck("Cells", 0)];
  const { world, remind } = await aBrowser({
    ...answersWith(reminderSettings(true)),
    study: { getDue: () => ({ decks }) },
  });
  await remind();
  decks = [aDeck("Cells", 1)];
  world.now += HOUR_MS;
  await remind();
  expect(world.shown.map(({ title }) => title)).toEqual(["1 card is due"]);
});

test("no reminder comes on a day when Lamplight is open", async () => {
  const { world, remind } = await aBrowser(answersWith(reminderSettings(true), aDeck("Cells", 7)));
  world.isLooking = true;
  await remind();
  world.isLooking = false;
  await remind();
  expect(world.shown).toEqual([]);
});

test("no reminder comes unless requested", async () => {
  const { world, remind } = await aBrowser(answersWith(reminderSettings(false), aDeck("Cells", 7)));
  await remind();
  expect(world.shown).toEqual([]);
});

test("no reminder comes without the browser's permission", async () => {
  const { world, remind } = await aBrowser(answersWith(reminderSettings(true), aDeck("Cells", 7)), "denied");
  await remind();
  expect(world.shown).toEqual([]);
});

test("offline, the last loaded data is used, and without any there is no reminder", async () => {
  const { world, remind } = await aBrowser({ ...answersWith(reminderSettings(true)), study: { getDue: noNetwork } });
  await remind();
  expect(world.shown).toEqual([]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

/** A browser in which the student answers the permission request like this. */
function stubPermission(answer: NotificationPermission) {
  const asked = vi.fn(async () => answer);
  vi.stubGlobal("Notification", { permission: "default", requestPermission: asked });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: async () => undefined },
  });
  return asked;
}

async function settings(preferences: object) {
  const saved: Preferences[] = [];
  const savePreferences = (sent: unknown) => {
    saved.push(Preferences.parse(sent));
    return Preferences.parse(sent);
  };
  const getPreferences = () => Preferences.parse(preferences);
  await openApp("/settings", { signedIn: true, answers: { user: { getPreferences, savePreferences } } });
  await screen.findByRole("heading", { name: "Reminders" });
  return { saved, user: userEvent.setup() };
}

const SWITCH = "Remind me daily when cards are due";

test("turning reminders on asks the browser, and one click turns them off", async () => {
  const asked = stubPermission("granted");
  const { saved, user } = await settings({});
  expect(asked).not.toHaveBeenCalled();
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  expect(asked).toHaveBeenCalledOnce();
  await waitFor(() => expect(saved.at(-1)?.notifications).toEqual({ due_cards: true, due_at: "17:00" }));
  const at = await screen.findByLabelText("At");
  await user.clear(at);
  await user.type(at, "08:15");
  await user.tab();
  await waitFor(() => expect(saved.at(-1)?.notifications.due_at).toBe("08:15"));
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  await waitFor(() => expect(saved.at(-1)?.notifications.due_cards).toBe(false));
});

test.each([
  ["denied", /Notifications are blocked/],
  ["default", /so reminders stay off/],
] as const)("a browser that answers %s leaves them off and shows what to do", async (answer, words) => {
  stubPermission(answer);
  const { saved, user } = await settings({});
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  await screen.findByText(words);
  expect(saved).toEqual([]);
});

test("reminders turned on in another browser can be allowed here with one click", async () => {
  const asked = stubPermission("granted");
  const { user } = await settings(reminderSettings(true));
  await user.click(await screen.findByRole("button", { name: "Allow in this browser" }));
  expect(asked).toHaveBeenCalledOnce();
  await screen.findByText(/One notification a day/);
});

test("a browser without notifications shows a message", async () => {
  await settings({});
  await screen.findByText(/can't show notifications for this address/);
});
