import { withoutMarks } from "#shared/tutor/marks.ts";
import type { Own } from "#api/store/owned.ts";
import { findMessage, type MessageDoc } from "./store.ts";

/** A turn of the conversation as a model is shown it, with the message that it was. */
export interface Said {
  role: "user" | "assistant";
  text: string;
  message: MessageDoc;
}

const MAX_TURNS = 12;
const MAX_CHARS = 8000;

/**
 * The branch that leads to a message, without the message itself: its last turns, the oldest first. Read from its end,
 * so that a conversation of thousands of messages costs no more than its last ones.
 */
export async function conversationBefore(own: Own, message: MessageDoc): Promise<Said[]> {
  const said: Said[] = [];
  const before = async ({ parent }: MessageDoc) => {
    const found = parent === null ? undefined : await findMessage(own, parent);
    return found?.threadId === message.threadId ? found : undefined;
  };
  let room = MAX_CHARS;
  for (let at = await before(message); at && said.length < MAX_TURNS && room > 0; at = await before(at)) {
    const text = withoutMarks(at.text);
    // A long turn is told by its beginning: left out, what follows it would hang in the air.
    if (text.trim() !== "") said.unshift({ role: at.role, text: text.slice(0, room), message: at });
    room -= text.length;
  }
  return said;
}
