export const news = {
  offline_title: "Arbeitet auch im Tunnel",
  offline_text: "Die App öffnet sich und lädt neu, auch ohne Netz.",
  offline_stored: "Geöffnete Seiten und fällige Karten bleiben auf dem Gerät",
  offline_sent: "Was du schreibst, geht später von selbst hinaus",
  your_data_title: "Geh mit allem",
  your_data_text: "Die Einstellungen packen alles, was du hast, in ein Zip, und ein anderes Lamplight liest es wieder.",
  your_data_markdown: "Notizen außerdem als Markdown",
  your_data_deletion: "Nach dem Löschen des Kontos bleiben 30 Tage zur Rückkehr",
  sessions_title: "Sieh, wo du angemeldet bist",
  sessions_text: "Die Einstellungen zeigen jeden Browser und melden jeden davon ab.",
  tutor_title: "Ein Tutor, der seine Quellen zeigt",
  tutor_text: "Jede Antwort bringt die Stelle mit, auf der sie steht, einen Druck entfernt.",
} as const;
