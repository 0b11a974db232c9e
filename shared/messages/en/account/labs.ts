export const labs = {
  title: "Labs",
  intro:
    "Things that are being tried. Each is off until you turn it on, changes only what stands beside it, and may go again or become part of Lamplight. Your pages and cards are the same with and without.",
  stay_awake: "Keep the screen on while studying",
  stay_awake_text:
    "While a deck is open to study, the device does not dim or lock. It costs battery, and ends when you leave the deck or look at another window.",
  one_block: "One block at a time",
  one_block_text:
    "On a page, the words around the block you are writing turn grey, until you leave the page's text or mark more than one block.",
  cannot: "This browser cannot do it: the switch changes nothing here.",
  tell: "Tell us how it went",
  all: "Open Labs",
} as const;
