// Imported before the app's first chunk is loaded: uses nothing of it.

/** Whether a key belongs to a field, a dialog or a menu, not to the document. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable='true'], dialog, [role='menu']") !== null;
