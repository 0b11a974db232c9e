/** What the extension says in a page itself, where it was asked to: as few words as can be, since they are put there. */
export const extensionPage = {
  bar: "Lamplight",
  bar_card: "Card from selection",
  bar_page: "Keep page",
  bar_clip: "Last 30 seconds",
  bar_region: "Part of the screen",
  bar_panel: "Open panel",
  bar_close: "Close",
  bar_working: "One moment",
  bar_replaced: "Lamplight was updated, and nothing was taken. Close this bar and open it again.",
  region_help:
    "Draw around what you want to learn. Arrow keys move the part, with Shift they size it; Enter takes it, Escape leaves.",
} as const;
