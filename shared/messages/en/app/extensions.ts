/** Browser extensions on the connections screen. Loaded with that screen. */
export const extensions = {
  title: "Browser extension",
  about: "Capture from any page and ask the tutor while you browse.",
  request: "A browser extension wants to connect",
  request_text: "{{name}} wants access to your account. It can add cards, notes and files, and ask the tutor.",
  compare: "Only connect if your extension shows exactly this code.",
  allow: "Connect",
  deny: "Don't connect",
  connected: "Connected. Go back to the extension.",
  refused: "Not connected.",
  code: "Extension code",
  code_hint: "The extension shows it when you connect. For example BCDF-GHJK.",
  continue: "Continue",
  no_code: "This code is wrong or has expired. Codes are valid for ten minutes. Request a new one.",
  since: "{{name}}, connected {{when}}",
  disconnect: "Disconnect",
  disconnect_of: "Disconnect {{name}}",
} as const;
