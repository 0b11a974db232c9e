// Runs before the app's first chunk is loaded, so it must not import anything from that chunk.

/** Whether a key belongs to a field, a dialog or a menu, not to the document. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable='true'], dialog, [role='menu']") !== null;
