/** Section 8 of the specification in German. */
export const failures = {
  usage_limit: "Du hast dein Nutzungslimit erreicht. Mit einem größeren Tarif geht es weiter!",
  too_large: "Die Datei ist zu groß zum Hochladen. Bitte versuche es mit einer kleineren.",
  upload_input:
    "Die Datei konnte nicht verarbeitet werden. Bitte prüfe, ob sie in Ordnung ist, und versuche es noch einmal.",
  input: "Etwas ist schiefgegangen. Bitte prüfe deine Eingabe und versuche es noch einmal.",
  server: "Unsere Server haben gerade Schwierigkeiten. Bitte versuche es gleich noch einmal.",
  flashcards_timeout:
    "Das Erstellen der Karteikarten dauert länger als erwartet. Bitte versuche es mit weniger oder kleineren Dateien.",
  timeout: "Die Anfrage hat zu lange gedauert. Bitte versuche es mit einer kleineren Datei.",
  network: "Der Server ist nicht erreichbar. Bitte prüfe deine Internetverbindung und versuche es noch einmal.",
  upload:
    "Das Hochladen ist fehlgeschlagen. Bitte versuche es noch einmal oder melde dich beim Support, wenn es so bleibt.",
  flashcards:
    "Die Karteikarten konnten nicht erstellt werden. Bitte versuche es noch einmal oder melde dich beim Support, wenn es so bleibt.",
  other: "Etwas ist schiefgegangen. Bitte versuche es noch einmal oder melde dich beim Support, wenn es so bleibt.",
  unknown_error: "Unbekannter Fehler",
  unknown_occurred: "Ein unbekannter Fehler ist aufgetreten",
  session_expired: "Deine Sitzung ist abgelaufen. Bitte melde dich noch einmal an.",
  profile_forbidden: "Du darfst darauf nicht zugreifen.",
  profile_server: "Wir haben technische Schwierigkeiten. Bitte versuche es später noch einmal.",
  profile_failed: "Dein Profil konnte nicht geladen werden. Bitte lade die Seite neu.",
  sync_failed:
    "Beim Speichern deiner Daten ist ein Problem aufgetreten. Bitte lade die Seite neu, wenn es weiter auftritt.",
  settings: "Die Einstellungen konnten nicht geändert werden",
  no_cookies: "Dieser Browser blockiert Cookies. Du bleibst angemeldet, bis du diesen Tab schließt.",
  app_updated: "Die App wurde aktualisiert. Bitte lade die Seite neu, um die neueste Version zu erhalten",
} as const;
