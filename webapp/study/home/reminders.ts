import { NoResponseError } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { dueReminderDay, buildReminder } from "#shared/study/reminder.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { client } from "#webapp/app/client.ts";
import { dueAtom } from "../due.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { logWarning } from "#webapp/app/log.ts";
import {
  getNotificationPermission,
  showBrowserNotification,
  type BrowserNotification,
  type BrowserNotificationPermission,
} from "#webapp/app/browser/browser-notifications.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { lock } from "#webapp/offline/tabs.ts";

const CHECK_INTERVAL_MS = 60_000;
/** Minimum time between requests while nothing was due. */
const MIN_FETCH_INTERVAL_MS = 30 * 60_000;
/** Stores the account and day of the last reminder in this browser. */
const LAST_REMINDER_KEY = "lamplight_reminded";

/** The parts of the browser that reminders need. */
export interface ReminderDeps {
  now(): number;
  permission(): BrowserNotificationPermission;
  /** Whether the student is looking at this window and needs no reminder. */
  isWindowFocused(): boolean;
  show(notice: BrowserNotification): Promise<boolean>;
}

const browser: ReminderDeps = {
  now: () => Date.now(),
  permission: getNotificationPermission,
  isWindowFocused: () => document.visibilityState === "visible" && document.hasFocus(),
  show: showBrowserNotification,
};

/** Fallback if storage is unavailable, so that there is still only one reminder a day. */
let lastReminderInMemory = "";
let lastFetchedAt = Number.NEGATIVE_INFINITY;

const wasReminded = (reminderKey: string) =>
  lastReminderInMemory === reminderKey || readLocal(LAST_REMINDER_KEY) === reminderKey;
const markReminded = (reminderKey: string) => {
  lastReminderInMemory = reminderKey;
  writeLocal(LAST_REMINDER_KEY, reminderKey);
};

/** The due decks from the server, or the last known list when offline. */
async function fetchDueDecks(): Promise<readonly DueDeck[]> {
  try {
    return (await client.study.getDue({})).decks;
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    const known = store.get(dueAtom);
    return known.state === "ready" ? known.decks : [];
  }
}

/** The key of a reminder that should be shown now; undefined if disabled or not yet time. */
function currentReminderKey(deps: ReminderDeps): string | undefined {
  const user = store.get(userAtom);
  const { due_cards: isEnabled, due_at: dueAt } = store.get(preferencesAtom).notifications;
  if (!user || !isEnabled || deps.permission() !== "granted") return undefined;
  const day = dueReminderDay({ at: dueAt, timezone: user.timezone }, deps.now());
  return day && `${user._id} ${day}`;
}

/** Shows one silent reminder a day at the time the student set, in one window, if anything is due. */
export async function showReminderIfDue(deps: ReminderDeps = browser): Promise<void> {
  const reminderKey = currentReminderKey(deps);
  if (reminderKey === undefined || wasReminded(reminderKey) || deps.now() - lastFetchedAt < MIN_FETCH_INTERVAL_MS)
    return;
  if (deps.isWindowFocused()) return markReminded(reminderKey);
  await lock("lamplight-reminder", async () => {
    // Another window may have shown the reminder in the meantime.
    if (wasReminded(reminderKey)) return;
    lastFetchedAt = deps.now();
    const due = buildReminder(await fetchDueDecks());
    if (!due) return;
    const { count, deck } = due;
    const isShown = await deps.show({
      title: t("reminders.due", { count }),
      body: t("reminders.begin", { title: deck.title }),
      tag: "lamplight-due",
      path: screenPath("study", { id: deck.pageId, flashcard: deck.componentId }),
    });
    if (isShown) markReminded(reminderKey);
  }).catch((error: unknown) => logWarning("Could not show a reminder", error));
}

const check = () => void showReminderIfDue();

/** Checks every minute and on waking, because timers pause during sleep. */
export function startReminders(): () => void {
  check();
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener("visibilitychange", check);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", check);
  };
}
