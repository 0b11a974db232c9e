import { NoAnswer } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { reminderDay, reminderOf } from "#shared/study/reminder.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { client } from "#webapp/app/client.ts";
import { dueAtom } from "../due.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { noticePermission, showNotice, type Notice, type NoticePermission } from "#webapp/app/browser/notices.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { lock } from "#webapp/offline/tabs.ts";

const LOOK_EVERY_MS = 60_000;
/** Minimum time between requests while nothing was due. */
const ASK_AGAIN_MS = 30 * 60_000;
/** Stores the account and day of the last reminder in this browser. */
const TOLD = "lamplight_reminded";

/** What reminders depend on. */
export interface ReminderDoor {
  now(): number;
  permission(): NoticePermission;
  /** Whether the student is looking at this window and needs no reminder. */
  isLooking(): boolean;
  show(notice: Notice): Promise<boolean>;
}

const browser: ReminderDoor = {
  now: () => Date.now(),
  permission: noticePermission,
  isLooking: () => document.visibilityState === "visible" && document.hasFocus(),
  show: showNotice,
};

/** Fallback if storage is unavailable, so that there is still only one reminder a day. */
let toldHere = "";
let askedAt = Number.NEGATIVE_INFINITY;

const wasTold = (mark: string) => toldHere === mark || readLocal(TOLD) === mark;
const noteTold = (mark: string) => {
  toldHere = mark;
  writeLocal(TOLD, mark);
};

/** From the server, or the last known list when offline. */
async function dueNow(): Promise<readonly DueDeck[]> {
  try {
    return (await client.study.getDue({})).decks;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const known = store.get(dueAtom);
    return known.state === "ready" ? known.decks : [];
  }
}

/** The key of a reminder that should be shown now; undefined if disabled or not yet time. */
function markNow(door: ReminderDoor): string | undefined {
  const user = store.get(userAtom);
  const { due_cards: isWanted, due_at: at } = store.get(preferencesAtom).notifications;
  if (!user || !isWanted || door.permission() !== "granted") return undefined;
  const day = reminderDay({ at, timezone: user.timezone }, door.now());
  return day && `${user._id} ${day}`;
}

/** Shows one silent reminder a day at the time the student set, in one window, if anything is due. */
export async function remind(door: ReminderDoor = browser): Promise<void> {
  const mark = markNow(door);
  if (mark === undefined || wasTold(mark) || door.now() - askedAt < ASK_AGAIN_MS) return;
  if (door.isLooking()) return noteTold(mark);
  await lock("lamplight-reminder", async () => {
    // Another window may have shown it meanwhile.
    if (wasTold(mark)) return;
    askedAt = door.now();
    const due = reminderOf(await dueNow());
    if (!due) return;
    const { count, deck } = due;
    const isShown = await door.show({
      title: t("reminders.due", { count }),
      body: t("reminders.begin", { title: deck.title }),
      tag: "lamplight-due",
      path: screenPath("study", { id: deck.pageId, flashcard: deck.componentId }),
    });
    if (isShown) noteTold(mark);
  }).catch((error: unknown) => logTrouble("Could not show a reminder", error));
}

const look = () => void remind();

/** Checks every minute and on waking, because timers pause during sleep. */
export function keepReminding(): () => void {
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
