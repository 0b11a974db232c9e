export const labs = {
  title: "Labs",
  intro: "Experiments, off by default. They may change or disappear. Your notes and cards are not affected.",
  stay_awake: "Keep the screen on while studying",
  stay_awake_text:
    "The screen doesn't dim or lock while you study a deck. This uses more battery. It ends when you leave the deck or switch windows.",
  one_block: "Focus mode",
  one_block_text: "Dims everything on the page except the block you are writing.",
  unsupported: "Your browser doesn't support this.",
  feedback: "Send feedback",
  all: "Open Labs",
} as const;
