/** What the extension shows inside a web page. Kept short, because it is injected into the page. */
export const extensionPage = {
  bar: "Lamplight",
  bar_card: "Card from selection",
  bar_page: "Save page",
  bar_clip: "Last 30 seconds",
  bar_region: "Capture area",
  bar_panel: "Open panel",
  bar_close: "Close",
  bar_working: "One moment",
  bar_replaced: "Lamplight was updated and nothing was captured. Close this bar and open it again.",
  bar_failed: "That didn't work. Please try again.",
  region_help:
    "Drag to select the area to capture. Arrow keys move it, Shift and arrow keys resize it. Press Enter to capture or Escape to cancel.",
} as const;
