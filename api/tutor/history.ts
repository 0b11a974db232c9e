import { withoutMarks } from "#shared/tutor/marks.ts";
import type { Own } from "#api/store/owned.ts";
import { findMessage, type MessageDoc } from "./store.ts";

/** A turn of the conversation as sent to a model, with its message. */
export interface Said {
  role: "user" | "assistant";
  text: string;
  message: MessageDoc;
}

const MAX_TURNS = 12;
const MAX_CHARS = 8000;

/**
 * The last turns of the branch before a message, oldest first. Walks back from the end, so that long conversations cost
 * no more.
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
    // Truncate a long turn rather than dropping it: the next turn would lack its context.
    if (text.trim() !== "") said.unshift({ role: at.role, text: text.slice(0, room), message: at });
    room -= text.length;
  }
  return said;
}
