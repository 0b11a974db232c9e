export const extensions = {
  title: "Browser-Erweiterung",
  about: "Speichere Inhalte von jeder Seite und frag beim Surfen den Tutor.",
  request: "Eine Browser-Erweiterung möchte sich verbinden",
  request_text:
    "{{name}} möchte Zugriff auf dein Konto. Sie kann Karten, Notizen und Dateien hinzufügen und den Tutor fragen.",
  compare: "Verbinde nur, wenn deine Erweiterung genau diesen Code zeigt.",
  allow: "Verbinden",
  deny: "Nicht verbinden",
  connected: "Verbunden. Geh zurück zur Erweiterung.",
  refused: "Nicht verbunden.",
  code: "Code der Erweiterung",
  code_hint: "Die Erweiterung zeigt ihn beim Verbinden. Zum Beispiel BCDF-GHJK.",
  continue: "Weiter",
  no_code: "Dieser Code ist falsch oder abgelaufen. Codes gelten zehn Minuten. Fordere einen neuen an.",
  since: "{{name}}, verbunden {{when}}",
  disconnect: "Trennen",
  disconnect_of: "{{name}} trennen",
} as const;
