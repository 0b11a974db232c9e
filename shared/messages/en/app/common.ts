/** Messages that several features use. */
export const common = {
  product: "Lamplight",
  close: "Close",
  done: "Done",
  dismiss: "Dismiss",
  cancel: "Cancel",
  save: "Save",
  retry: "Try again",
  undo: "Undo",
  /** A button that opens controls, when one of them is set. */
  label_active: "{{label}} (active)",
  pending: "Just created",
  loading: "Loading",
  alerts: "Notifications",
  untitled: "Untitled",
  just_now: "just now",
  share: "Share",
  duplicate: "Duplicate",
  /** Keys, as a keyboard names them. */
  key_space: "Space",
  key_ctrl: "Ctrl",
  key_shift: "Shift",
  key_enter: "Enter",
  key_home: "Home",
  key_end: "End",
} as const;
