/** Browser extensions among the connections: loaded with that screen, and not with every screen. */
export const extensions = {
  title: "Browser extension",
  about: "Captures from any page and asks the tutor beside it, in your name.",
  ask: "A browser extension asks to be connected",
  asks: "{{name}} asks to act in your name: to add cards, notes and files, and to ask the tutor.",
  compare: "Connect it only where it shows this very code, and only if it is yours.",
  allow: "Connect",
  deny: "Do not connect",
  connected: "Connected. Go back to the extension.",
  refused: "Not connected.",
  code: "Code of the extension",
  code_hint: "The extension shows it when you connect it, as BCDF-GHJK.",
  find: "Continue",
  no_code: "Nothing asks under this code. Codes are good for ten minutes: ask for a new one.",
  since: "{{name}}, connected {{when}}",
  disconnect: "Disconnect",
  disconnect_of: "Disconnect {{name}}",
} as const;
