import type { Message } from "./schema.ts";

/** The messages from the first to `head`, in order. */
export function branchEndingAt(messages: readonly Message[], head: string | null): Message[] {
  const known = new Map(messages.map((message) => [message._id, message]));
  const branch: Message[] = [];
  for (let message = known.get(head ?? ""); message && branch.length <= messages.length;) {
    branch.unshift(message);
    message = known.get(message.parent ?? "");
  }
  return branch;
}

/** A message and its alternatives in other branches, the oldest first. */
export const siblingsOf = (messages: readonly Message[], message: Message): Message[] =>
  messages
    .filter(({ parent, role }) => parent === message.parent && role === message.role)
    .toSorted((a, b) => a.createdAt - b.createdAt);

/** The latest descendant of this message, which is shown when its branch is chosen. */
export function findLeaf(messages: readonly Message[], from: string): string {
  const latest = new Map<string | null, Message>();
  for (const message of messages)
    if (message.createdAt > (latest.get(message.parent)?.createdAt ?? -1)) latest.set(message.parent, message);
  let leaf = from;
  for (let next = latest.get(from); next; next = latest.get(next._id)) leaf = next._id;
  return leaf;
}

const MIN_WORDS = 5;

/**
 * Whether a block of an answer makes a claim without a citation: no citation marker, no question, and more than a few
 * words.
 */
export function isUncitedClaim(block: string): boolean {
  if (/\[\^\d+\]/.test(block)) return false;
  const words = block.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (words < MIN_WORDS || /\?[\s*_]*$/.test(block)) return false;
  // The sentence that the prompt tells a model to write if the sources do not answer.
  return !/^(?:your|the) sources? (?:do|does)(?:n['’]t| not) say/i.test(block.trim());
}
