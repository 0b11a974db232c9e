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
/** Where nothing was due, it is not asked again each minute. */
const ASK_AGAIN_MS = 30 * 60_000;
/** The account and the day of the last notice in this browser. */
const TOLD = "lamplight_reminded";

/** What reminding needs from around it. */
export interface ReminderDoor {
  now(): number;
  permission(): NoticePermission;
  /** Whether the student has this window before them: who is here need not be called. */
  isLooking(): boolean;
  show(notice: Notice): Promise<boolean>;
}

const browser: ReminderDoor = {
  now: () => Date.now(),
  permission: noticePermission,
  isLooking: () => document.visibilityState === "visible" && document.hasFocus(),
  show: showNotice,
};

/** Where a browser keeps nothing, the day's notice is still one. */
let toldHere = "";
let askedAt = Number.NEGATIVE_INFINITY;

const wasTold = (mark: string) => toldHere === mark || readLocal(TOLD) === mark;
const noteTold = (mark: string) => {
  toldHere = mark;
  writeLocal(TOLD, mark);
};

/** From the server, or as it was told last where there is no network. */
async function dueNow(): Promise<readonly DueDeck[]> {
  try {
    return (await client.study.getDue({})).decks;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const known = store.get(dueAtom);
    return known.state === "ready" ? known.decks : [];
  }
}

/** What is to be said now, if the student wished for it and it is time. */
function markNow(door: ReminderDoor): string | undefined {
  const user = store.get(userAtom);
  const { due_cards: isWanted, due_at: at } = store.get(preferencesAtom).notifications;
  if (!user || !isWanted || door.permission() !== "granted") return undefined;
  const day = reminderDay({ at, timezone: user.timezone }, door.now());
  return day && `${user._id} ${day}`;
}

/** One quiet notice a day, at the time that the student set, and none where nothing is due; one window shows it. */
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
  }).catch((error: unknown) => logTrouble("Could not tell what is due", error));
}

const look = () => void remind();

/** Looks each minute and on waking; a timer sleeps with the machine. */
export function keepReminding(): () => void {
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
