export const reasonsPodcasts = {
  podcast_source_count: "Wähle zwischen 1 und 3 Quellen",
  podcast_guest_invalid: "Wähle einen gültigen Gast",
  no_podcast: "Diesen Podcast gibt es nicht.",
  no_podcast_audio: "Dieser Podcast hat noch keinen Ton, oder der Link ist abgelaufen.",
  podcast_source_missing: "Eine der Quellen gibt es nicht, oder du hast sie gelöscht. Wähle eine andere.",
  podcast_captions_unpunctuated:
    "Diese Untertitel haben keine Punkte, daher findet der Gast ihre Sätze nicht. Wähle ein Video mit Satzzeichen in den Untertiteln oder eine andere Quelle.",
  podcast_source_empty: "In diesen Quellen lässt sich nichts vorlesen. Wähle eine Quelle mit mehr Text.",
  podcast_language: "„{{title}}“ ist nicht auf Englisch. Podcasts gibt es bisher nur aus englischen Quellen.",
  podcast_daily_limit: "Du hast alle {{limit}} Podcasts für heute verbraucht.",
  podcast_timed_out:
    "Dieser Podcast hat mehr als 30 Minuten gebraucht. Versuche es noch einmal; was schon gesprochen ist, bleibt.",
  podcast_stopped: "Du hast diesen Podcast angehalten. Versuche es noch einmal, um dort weiterzumachen.",
  podcast_voice_missing: "Diese Stimme gibt es nicht.",
  podcast_voice_failed: "Die eingebaute Stimme ist ausgefallen. Bitte versuche es noch einmal.",
  podcast_speech_unreachable: "Der Sprachserver ist nicht erreichbar. Bitte versuche es später noch einmal.",
  podcast_speech_key: "Der Sprachserver hat den Schlüssel dieses Servers abgelehnt.",
  podcast_speech_busy: "Der Sprachserver ist ausgelastet. Bitte versuche es später noch einmal.",
  podcast_speech_refused: "Der Sprachserver hat den Text oder die Stimme abgelehnt.",
  podcast_speech_unusable:
    "Der Sprachserver hat keinen brauchbaren Ton geschickt. Bitte versuche es später noch einmal.",
} as const;
