export const news = {
  offline_title: "Funktioniert offline",
  offline_text: "Die App öffnet sich und lädt auch ohne Verbindung.",
  offline_stored: "Geöffnete Seiten und fällige Karten sind auf deinem Gerät gespeichert",
  offline_sent: "Deine Änderungen werden gesendet, sobald du wieder online bist",
  your_data_title: "Alles exportieren",
  your_data_text: "Lade in den Einstellungen alles als ein Zip herunter und importiere es in jeden Lamplight-Server.",
  your_data_markdown: "Exportiere deine Notizen als Markdown",
  your_data_deletion: "Wenn du dein Konto löschst, hast du 30 Tage, um es dir anders zu überlegen",
  sessions_title: "Sieh, wo du angemeldet bist",
  sessions_text: "Die Einstellungen zeigen deine aktiven Sitzungen. Du kannst jede davon abmelden.",
  tutor_title: "Ein Tutor, der seine Quellen zeigt",
  tutor_text: "Jede Antwort verweist auf die Textstelle, aus der sie kommt.",
} as const;
