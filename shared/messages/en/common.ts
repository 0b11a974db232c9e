/** Words that several features use. */
export const common = {
  product: "Lamplight",
  close: "Close",
  dismiss: "Dismiss",
  cancel: "Cancel",
  save: "Save",
  retry: "Try again",
  undo: "Undo",
  pending: "Just made",
  loading: "Loading",
  alerts: "Notices",
  untitled: "Untitled",
  just_now: "just now",
  share: "Share",
  /** The key, as a keyboard names it. */
  key_space: "Space",
} as const;
