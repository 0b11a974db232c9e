import { withoutMarks } from "#shared/tutor/marks.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { listMessages, type MessageDoc } from "./store.ts";

/** A turn of the conversation as a model is shown it, with the message that it was. */
export interface Said {
  role: "user" | "assistant";
  text: string;
  message: MessageDoc;
}

const MAX_TURNS = 12;
const MAX_CHARS = 8000;

/** The branch that leads to a message, without the message itself: its last turns, the oldest first. */
export async function conversationBefore(own: Own, message: MessageDoc): Promise<Said[]> {
  if (message.parent === null) return [];
  const known = new Map((await listMessages(own, message.threadId)).map((each) => [each.messageId, each]));
  const said: Said[] = [];
  let chars = 0;
  for (let at = known.get(message.parent); at && said.length < MAX_TURNS; at = known.get(at.parent ?? "")) {
    const text = withoutMarks(at.text);
    chars += text.length;
    if (chars > MAX_CHARS) break;
    if (text.trim() !== "") said.unshift({ role: at.role, text, message: at });
  }
  return said;
}
