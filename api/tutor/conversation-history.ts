import { removeCitationMarkers } from "#shared/tutor/citation-markers.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findMessage, type MessageDoc } from "./store.ts";

/** A turn of the conversation as sent to a model, with its message. */
export interface ConversationTurn {
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
export async function readConversationBefore(own: Own, message: MessageDoc): Promise<ConversationTurn[]> {
  const turns: ConversationTurn[] = [];
  const findParent = async ({ parent }: MessageDoc) => {
    const found = parent === null ? undefined : await findMessage(own, parent);
    return found?.threadId === message.threadId ? found : undefined;
  };
  let charsLeft = MAX_CHARS;
  for (
    let current = await findParent(message);
    current && turns.length < MAX_TURNS && charsLeft > 0;
    current = await findParent(current)
  ) {
    const text = removeCitationMarkers(current.text);
    // Truncate a long turn rather than dropping it: the next turn would lack its context.
    if (text.trim() !== "") turns.unshift({ role: current.role, text: text.slice(0, charsLeft), message: current });
    charsLeft -= text.length;
  }
  return turns;
}
