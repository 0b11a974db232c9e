/** Moves the focus to the pages or the text, where the shortcuts work. */
export const focusContent = (): void => document.getElementById("content")?.focus({ preventScroll: true });
