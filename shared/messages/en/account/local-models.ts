/** The section of the settings that helps to get an AI model. */
export const localModels = {
  title: "AI models",
  intro:
    "Lamplight works without an AI model. With one, the tutor explains in its own words and cards are worded more freely. A model of Ollama runs on the computer that runs Lamplight: nothing is sent to a company.",
  looking: "Looking for Ollama…",
  look_again: "Look again",
  look_failed: "The server could not be asked.",
  absent: "No Ollama server answers at {{address}}.",
  empty: "Ollama runs at {{address}}, but has no model that can chat.",
  broken:
    "Something answers at {{address}}, but not as Ollama does, or too slowly. Restart Ollama, or check OLLAMA_URL.",
  found: "Ollama runs at {{address}}. Choose a model below the question field of the tutor.",
  install: "Install Ollama on the computer that runs Lamplight:",
  pull: "Download one of these models in a terminal. They fit the {{memory}} of memory of that computer.",
  best: "Better answers",
  faster: "Faster",
  download: "{{size}} download",
  test: "Test the models",
  test_text:
    "Each makes cards from the same short passage on glaciers. Nothing of yours is used. A model can take some minutes.",
  testing: "{{name}} is writing…",
  stop: "Stop",
  builtin: "Without a model",
  result: "{{cards}} in {{duration}}",
  result_rejected: "{{cards}} in {{duration}}; {{rejected}} more failed the checks",
  cards_one: "{{count}} card",
  cards_other: "{{count}} cards",
  test_failed: "{{name}} gave no usable answer.",
} as const;
