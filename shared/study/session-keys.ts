import type { Grade } from "./schema.ts";

/** The keyboard actions of a study session. */
export interface SessionKeys {
  /** Whether a card is shown. */
  isEnabled: boolean;
  isRevealed: boolean;
  reveal: () => void;
  grade: (given: Grade) => void;
  undo: () => void;
  leave: () => void;
  /** Additional single-letter shortcuts while a card is shown. */
  more?: Readonly<Record<string, () => void>>;
}

const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("button, a, input, textarea, select, summary") !== null;

const WITHOUT_CHOICES = "input:not([type=radio], [type=checkbox]), textarea, select, dialog, [role=menu]";

/**
 * Whether a key is meant for an input, dialog or menu. A radio button or checkbox keeps the focus after a press, but uses
 * only the arrows and the space bar.
 */
export function isForField({ key, target }: KeyboardEvent): boolean {
  const selector = key === " " || key.startsWith("Arrow") ? `input, ${WITHOUT_CHOICES}` : WITHOUT_CHOICES;
  return target instanceof HTMLElement && target.closest(selector) !== null;
}

function parseGrade(key: string): Grade | undefined {
  return key === "1" || key === "2" || key === "3" || key === "4" ? (Number(key) as Grade) : undefined;
}

/** The action of a key; undefined if it has none. */
function findAction(event: KeyboardEvent, keys: SessionKeys): (() => void) | undefined {
  if (event.altKey || event.shiftKey || isForField(event)) return undefined;
  if (event.key.toLowerCase() === "z") return keys.undo;
  if (event.ctrlKey || event.metaKey) return undefined;
  if (event.key === "Escape") return keys.leave;
  if (!keys.isEnabled) return undefined;
  return keys.more?.[event.key.toLowerCase()] ?? findAnswerAction(event, keys);
}

function findAnswerAction({ key, target }: KeyboardEvent, keys: SessionKeys): (() => void) | undefined {
  const given = parseGrade(key);
  if (keys.isRevealed) return given && (() => keys.grade(given));
  // A focused button handles these keys itself.
  return (key === " " || key === "Enter") && !isPressable(target) ? keys.reveal : undefined;
}

/** Space and Enter reveal the answer, 1 to 4 grade it, Z undoes the last grade, Escape leaves. */
export function handleSessionKey(event: KeyboardEvent, keys: SessionKeys): void {
  if (event.defaultPrevented || event.isComposing) return;
  // A key that is held down counts once.
  if (event.repeat) {
    if (event.key === "Enter" || event.key === " ") event.preventDefault();
    return;
  }
  const action = findAction(event, keys);
  if (!action) return;
  event.preventDefault();
  action();
}
