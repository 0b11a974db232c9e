// Runs before the app's first chunk is loaded, so it must not import anything from that chunk.

const WITHOUT_CHOICES =
  "input:not([type='radio'], [type='checkbox']), textarea, select, [contenteditable='true'], dialog, [role='menu']";

/**
 * Whether a key belongs to a field, a dialog or a menu, not to the document. A radio button or checkbox keeps the focus
 * after a press, but uses only the arrows and the space bar.
 */
export function isTyping({ key, target }: KeyboardEvent): boolean {
  const selector = key === " " || key.startsWith("Arrow") ? `input, ${WITHOUT_CHOICES}` : WITHOUT_CHOICES;
  return target instanceof HTMLElement && target.closest(selector) !== null;
}
