/** What the server says of cards, documents, videos, the tutor and connections, and of what is new; see `served.ts`. */
export const servedWork: Readonly<Record<string, string>> = {
  // Flashcards
  "There is no such deck.": "Diesen Stapel gibt es nicht.",
  "This deck is full.": "Dieser Stapel ist voll.",
  "There is no such generation.": "Diese Erstellung gibt es nicht.",
  "{{count}} decks are being made already. Please wait for one of them.":
    "Es werden schon {{count}} Stapel erstellt. Bitte warte auf einen davon.",
  "Stopped. The cards made so far are kept.": "Angehalten. Die bisher erstellten Karten bleiben.",
  "Failed to create flashcards. Please try again.":
    "Die Karteikarten konnten nicht erstellt werden. Bitte versuche es noch einmal.",
  "No fact was found here that makes a good card.": "Hier wurde nichts gefunden, woraus eine gute Karte wird.",
  "Every card that this gives is in your decks already.": "Jede Karte, die das ergibt, liegt schon in deinen Stapeln.",
  "Add a text, a file or a PDF to make flashcards from.":
    "Gib einen Text, eine Datei oder ein PDF an, woraus Karteikarten werden sollen.",
  "That is too much text for one deck. Please try with fewer or smaller files.":
    "Das ist zu viel Text für einen Stapel. Bitte versuche es mit weniger oder kleineren Dateien.",
  "Images cannot be read yet. Please type or paste what the image says.":
    "Bilder können noch nicht gelesen werden. Bitte tippe oder füge ein, was auf dem Bild steht.",
  "Open the video to add captions, or paste the transcript as text.":
    "Öffne das Video, um Untertitel hinzuzufügen, oder füge das Transkript als Text ein.",
  "Only text files can be read here. Please upload a PDF to a page and choose its pages.":
    "Hier können nur Textdateien gelesen werden. Bitte lade ein PDF auf eine Seite und wähle seine Seiten.",
  "This file does not hold readable text.": "In dieser Datei ist kein lesbarer Text.",
  "There is no text in this source.": "In dieser Quelle ist kein Text.",
  "This PDF has 1 page; none of them was chosen.": "Dieses PDF hat 1 Seite; sie wurde nicht gewählt.",
  "This PDF has {{count}} pages; none of them was chosen.":
    "Dieses PDF hat {{count}} Seiten; keine davon wurde gewählt.",
  "Your plan makes flashcards from up to {{limit}} PDF pages at a time. Choose fewer pages.":
    "Dein Tarif erstellt Karteikarten aus bis zu {{limit}} PDF-Seiten auf einmal. Wähle weniger Seiten.",
  "Your plan makes flashcards from up to {{limit}} PDF pages at a time. Choose fewer pages, or upgrade for up to {{most}}.":
    "Dein Tarif erstellt Karteikarten aus bis zu {{limit}} PDF-Seiten auf einmal. Wähle weniger Seiten oder einen größeren Tarif für bis zu {{most}}.",
  "There is nothing on this card yet.": "Auf dieser Karte steht noch nichts.",
  "There is nothing on these cards yet.": "Auf diesen Karten steht noch nichts.",
  "These cards hold no words that a title could be made from.":
    "Auf diesen Karten stehen keine Worte, aus denen ein Titel werden könnte.",
  "Please choose a picture.": "Bitte wähle ein Bild.",
  "A card shows PNG, JPEG, GIF, WebP, AVIF and BMP pictures.":
    "Eine Karte zeigt Bilder in PNG, JPEG, GIF, WebP, AVIF und BMP.",
  "There are no decks to save yet.": "Es gibt noch keine Stapel zum Sichern.",
  "There are more cards than one collection takes. Save the decks one by one.":
    "Es sind mehr Karten, als eine Sammlung fasst. Sichere die Stapel einzeln.",
  "Please choose a package to bring in.": "Bitte wähle ein Paket zum Hereinholen.",
  "This is not an Anki package. Export a deck from Anki as .apkg.":
    "Das ist kein Anki-Paket. Exportiere einen Stapel aus Anki als .apkg.",
  "This package unpacks to more than can be read here. Export it in parts.":
    "Dieses Paket ist entpackt größer, als hier gelesen werden kann. Exportiere es in Teilen.",
  "This package is damaged. Check the database in Anki and export it again.":
    "Dieses Paket ist beschädigt. Prüfe die Datenbank in Anki und exportiere es noch einmal.",
  "This package comes from a newer Anki. Export it for older versions.":
    "Dieses Paket kommt aus einem neueren Anki. Exportiere es für ältere Versionen.",
  "Reading this package took too long. Export it in parts.":
    "Das Lesen dieses Pakets hat zu lange gedauert. Exportiere es in Teilen.",
  "This package could not be read. Export it again, or in parts.":
    "Dieses Paket konnte nicht gelesen werden. Exportiere es noch einmal oder in Teilen.",

  // Notes of other programs
  "Please choose what to bring in.": "Bitte wähle, was hereingeholt werden soll.",
  "There is no such import.": "Diesen Import gibt es nicht.",
  "This is not a zip, or it is damaged. Please choose the export as it came, or a folder of notes.":
    "Das ist kein Zip, oder es ist beschädigt. Bitte wähle den Export, wie er kam, oder einen Ordner mit Notizen.",
  "This archive unpacks to more than can be read here. Nothing was brought in; please export it in parts.":
    "Dieses Archiv ist entpackt größer, als hier gelesen werden kann. Nichts wurde hereingeholt; bitte exportiere es in Teilen.",
  "This archive names files outside itself, so none of it was read. Please export your notes again.":
    "Dieses Archiv nennt Dateien außerhalb seiner selbst, deshalb wurde nichts davon gelesen. Bitte exportiere deine Notizen noch einmal.",
  "This archive is protected by a password. Please export it without one.":
    "Dieses Archiv ist durch ein Passwort geschützt. Bitte exportiere es ohne.",
  "There are no notes in this archive.": "In diesem Archiv sind keine Notizen.",
  "Reading this archive took too long. Please bring it in parts.":
    "Das Lesen dieses Archivs hat zu lange gedauert. Bitte hole es in Teilen herein.",
  "This archive could not be read. Please export it again, or in parts.":
    "Dieses Archiv konnte nicht gelesen werden. Bitte exportiere es noch einmal oder in Teilen.",

  // Documents
  "There is no such PDF.": "Dieses PDF gibt es nicht.",
  "There is no such document.": "Dieses Dokument gibt es nicht.",
  "componentId: Which PDF?": "Welches PDF?",
  "from: Must not be after to.": "Der Anfang darf nicht hinter dem Ende liegen.",
  "There is no such analysis.": "Diese Auswertung gibt es nicht.",
  "Other documents are still being summed up. Please wait for one of them.":
    "Andere Dokumente werden noch zusammengefasst. Bitte warte auf eines davon.",
  "There is too little text in this document to sum up. If it was scanned, its text has to be read first.":
    "In diesem Dokument ist zu wenig Text für eine Zusammenfassung. Wenn es gescannt ist, muss sein Text zuerst gelesen werden.",
  "There is no such annotation.": "Diese Anmerkung gibt es nicht.",
  "This is not an annotation of a document.": "Das ist keine Anmerkung eines Dokuments.",
  "This annotation is too long.": "Diese Anmerkung ist zu lang.",
  "Other files are being read. Please wait until one of them is done.":
    "Andere Dateien werden gelesen. Bitte warte, bis eine davon fertig ist.",
  "language: Only {{languages}} can be recognised here.": "Hier kann nur {{languages}} erkannt werden.",

  // Videos
  "There is no such video.": "Dieses Video gibt es nicht.",
  "There is no such transcript.": "Dieses Transkript gibt es nicht.",
  "Please choose a captions file to upload.": "Bitte wähle eine Datei mit Untertiteln.",
  "This is not a captions file that can be read here. Please choose a WebVTT (.vtt) or SubRip (.srt) file.":
    "Diese Untertitel können hier nicht gelesen werden. Bitte wähle eine Datei in WebVTT (.vtt) oder SubRip (.srt).",
  "This captions file is larger than 8 MB. Please choose a smaller one.":
    "Diese Datei mit Untertiteln ist größer als 8 MB. Bitte wähle eine kleinere.",
  "No caption with a time was found in this file.": "In dieser Datei wurde kein Untertitel mit einer Zeit gefunden.",
  "segments: None of these lines has words and a time.": "Keine dieser Zeilen hat Worte und eine Zeit.",
  "Only the captions of a YouTube video can be asked for again.":
    "Nur nach den Untertiteln eines YouTube-Videos kann noch einmal gefragt werden.",
  "Nobody has said yet what is spoken in this video.": "Noch hat niemand gesagt, was in diesem Video gesprochen wird.",
  "This video has no captions, or its owner has turned them off.":
    "Dieses Video hat keine Untertitel, oder sie wurden abgeschaltet.",
  "This video has no captions in that language.": "Dieses Video hat keine Untertitel in dieser Sprache.",
  "This video is private: YouTube shows it to its owner's guests alone.":
    "Dieses Video ist privat: YouTube zeigt es nur Gästen der Person, der es gehört.",
  "YouTube shows this video only to signed-in adults, so this server cannot read its captions.":
    "YouTube zeigt dieses Video nur angemeldeten Erwachsenen, deshalb kann dieser Server seine Untertitel nicht lesen.",
  "YouTube says this video is not available.": "YouTube sagt, dieses Video sei nicht verfügbar.",
  "This is a live broadcast. Its captions can be read when it has ended.":
    "Das ist eine Liveübertragung. Ihre Untertitel können gelesen werden, wenn sie zu Ende ist.",
  "YouTube shows this video only to people who are signed in there.":
    "YouTube zeigt dieses Video nur Leuten, die dort angemeldet sind.",
  "YouTube asked this server to prove that it is no robot, and sent no captions.":
    "YouTube wollte von diesem Server den Beweis, dass er kein Roboter ist, und hat keine Untertitel geschickt.",
  "YouTube asked for consent to cookies instead of sending the captions.":
    "YouTube hat nach der Zustimmung zu Cookies gefragt, statt die Untertitel zu schicken.",
  "YouTube has had too many questions from this server. It usually answers again within an hour.":
    "YouTube bekam zu viele Fragen von diesem Server. Meist antwortet es innerhalb einer Stunde wieder.",
  "YouTube sent an empty answer instead of the captions, as it often does to servers.":
    "YouTube hat statt der Untertitel eine leere Antwort geschickt, wie oft an Server.",
  "YouTube could not be reached from this server.": "YouTube ist von diesem Server aus nicht erreichbar.",
  "Please paste the address of a video.": "Bitte füge die Adresse eines Videos ein.",
  "This is not a web address. It should begin with https://":
    "Das ist keine Webadresse. Sie sollte mit https:// beginnen",
  "This address holds a name and a password. Please paste one without.":
    "Diese Adresse enthält einen Namen und ein Passwort. Bitte füge eine ohne sie ein.",
  "This is a playlist. Please open one of its videos and paste that address.":
    "Das ist eine Playlist. Bitte öffne eines ihrer Videos und füge dessen Adresse ein.",
  "This is a channel. Please open one of its videos and paste that address.":
    "Das ist ein Kanal. Bitte öffne eines seiner Videos und füge dessen Adresse ein.",
  "This YouTube address leads to no video. Please copy the address of the video itself.":
    "Diese YouTube-Adresse führt zu keinem Video. Bitte kopiere die Adresse des Videos selbst.",
  "This address leads to no video that can be played here: it should be a YouTube video, or end in .mp4, .webm, .ogg or .mov.":
    "Diese Adresse führt zu keinem Video, das hier abgespielt werden kann: sie sollte ein YouTube-Video sein oder auf .mp4, .webm, .ogg oder .mov enden.",
  "Only an uploaded video can be written down.": "Nur ein hochgeladenes Video kann mitgeschrieben werden.",
  "Nothing of this video is being written down.": "Von diesem Video wird gerade nichts mitgeschrieben.",
  "No speech was heard in this video.": "In diesem Video wurde keine Sprache gehört.",
  "No sound could be read from this video.": "Aus diesem Video konnte kein Ton gelesen werden.",
  "This video is too large to be sent to the speech server as it is. With ffmpeg installed on this server its sound alone would be sent.":
    "Dieses Video ist zu groß, um es so an den Sprachserver zu schicken. Mit ffmpeg auf diesem Server ginge nur sein Ton hin.",
  "Speech servers do not take this type of video. With ffmpeg installed on this server its sound would be sent.":
    "Sprachserver nehmen diese Art von Video nicht. Mit ffmpeg auf diesem Server ginge sein Ton hin.",
  "No speech server is set on this server. Whoever runs it can name one with STT_BASE_URL.":
    "Auf diesem Server ist kein Sprachserver eingestellt. Wer ihn betreibt, kann mit STT_BASE_URL einen nennen.",
  "The speech server could not be reached.": "Der Sprachserver ist nicht erreichbar.",
  "The speech server refused its key.": "Der Sprachserver hat seinen Schlüssel abgelehnt.",
  "The speech server says that this video is too large.": "Der Sprachserver sagt, dieses Video sei zu groß.",
  "The speech server has too much to do. Please try again later.":
    "Der Sprachserver hat zu viel zu tun. Bitte versuche es später noch einmal.",
  "The speech server failed. Please try again later.":
    "Der Sprachserver ist gescheitert. Bitte versuche es später noch einmal.",
  "The speech server answered without times. Its model must know verbose_json.":
    "Der Sprachserver hat ohne Zeiten geantwortet. Sein Modell muss verbose_json kennen.",

  // The tutor and its models
  "There is no such conversation.": "Dieses Gespräch gibt es nicht.",
  "There is no such answer.": "Diese Antwort gibt es nicht.",
  "Several answers are being written already. Please wait for one of them.":
    "Es werden schon mehrere Antworten geschrieben. Bitte warte auf eine davon.",
  "There is no such model.": "Dieses Modell gibt es nicht.",
  "There is no such AI model. Choose another one.": "Dieses KI-Modell gibt es nicht. Wähle ein anderes.",
  "The AI model that was chosen is gone.": "Das gewählte KI-Modell ist nicht mehr da.",
  "The AI model gave no answer. Please try again.":
    "Das KI-Modell hat keine Antwort gegeben. Bitte versuche es noch einmal.",
  "The AI model could not be reached. Please try again in a moment.":
    "Das KI-Modell ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  "The AI model stopped answering. Please try again.":
    "Das KI-Modell hat mitten in der Antwort aufgehört. Bitte versuche es noch einmal.",
  "The AI model refused the request. Choose another model, or ask whoever runs this server to check its settings.":
    "Das KI-Modell hat die Anfrage abgelehnt. Wähle ein anderes oder bitte die Person, die diesen Server betreibt, die Einstellungen zu prüfen.",
  "The AI model is busy right now. Please try again in a few minutes.":
    "Das KI-Modell ist gerade überlastet. Bitte versuche es in ein paar Minuten noch einmal.",
  "The AI model did not write in the language that was asked for. Choose another model, or leave the language out.":
    "Das KI-Modell hat nicht in der gewünschten Sprache geschrieben. Wähle ein anderes oder lass die Sprache weg.",
  "This source is too much for the built-in engine. Please try with fewer or smaller files.":
    "Diese Quelle ist zu viel für die eingebaute Maschine. Bitte versuche es mit weniger oder kleineren Dateien.",
  "This server has used up what it may spend on AI models today. The built-in engine still works, and the allowance returns at midnight UTC.":
    "Dieser Server hat verbraucht, was er heute für KI-Modelle ausgeben darf. Die eingebaute Maschine arbeitet weiter, und um Mitternacht UTC ist wieder etwas da.",
  "Runs on this server without a key. It asks about sentences of your own material and invents none.":
    "Läuft auf diesem Server ohne Schlüssel. Sie fragt nach Sätzen deines eigenen Stoffs und erfindet keinen.",
  "A model of the Ollama server on this machine.": "Ein Modell des Ollama-Servers auf diesem Rechner.",
  "A model at {{address}}: what it reads leaves this server for that one.":
    "Ein Modell bei {{address}}: was es liest, verlässt diesen Server dorthin.",

  // Study
  "examAt: An exam lies in the future.": "Eine Prüfung liegt in der Zukunft.",
  "minutesPerDay: An exam needs minutes to prepare for it.": "Eine Prüfung braucht Minuten zur Vorbereitung.",

  // Sharing and connections
  "This link opens nothing. What it showed may have been made private.":
    "Dieser Link öffnet nichts. Was er zeigte, ist vielleicht nicht mehr öffentlich.",
  "An administrator took this down, so it cannot be shared. You still have it.":
    "Das wurde von der Verwaltung entfernt und kann nicht geteilt werden. Du hast es noch.",
  "There is no such connection.": "Diese Verbindung gibt es nicht.",
  "There is no such extension.": "Diese Erweiterung gibt es nicht.",
  "Nothing asks under this code. It may be too old: ask for a new one.":
    "Unter diesem Code fragt niemand. Vielleicht ist er zu alt: fordere einen neuen an.",
  "A code has eight letters, as BCDF-GHJK": "Ein Code hat acht Buchstaben, wie BCDF-GHJK",
  "This way back from Google is no longer valid. Please connect again.":
    "Dieser Rückweg von Google gilt nicht mehr. Bitte verbinde noch einmal.",
  "Google Drive is not set up on this server.": "Google Drive ist auf diesem Server nicht eingerichtet.",
  "Google did not accept this. Please connect again.": "Google hat das nicht angenommen. Bitte verbinde noch einmal.",
  "Google could not be reached. Please try again in a moment.":
    "Google ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  "Google Drive could not be reached. Please try again in a moment.":
    "Google Drive ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  "Google no longer gives access to this Drive. Please connect it again.":
    "Google gibt keinen Zugang mehr zu diesem Drive. Bitte verbinde es noch einmal.",
  "There is no such file in this Drive.": "Diese Datei gibt es in diesem Drive nicht.",
  "This file is larger than Google hands out in one piece.":
    "Diese Datei ist größer, als Google in einem Stück herausgibt.",

  // What is new
  "Works offline": "Funktioniert offline",
  "Lamplight now opens and reloads without a connection.": "Lamplight öffnet sich jetzt auch ohne Verbindung.",
  "Recently opened pages and due cards are saved on your device":
    "Zuletzt geöffnete Seiten und fällige Karten werden auf deinem Gerät gespeichert",
  "Your changes are sent when you're back online": "Deine Änderungen werden gesendet, sobald du wieder online bist",
  "Export everything": "Alles exportieren",
  "Export all your data as one zip in Settings, and import it into any Lamplight server.":
    "Exportiere in den Einstellungen alle deine Daten als ein Zip und importiere sie in jeden Lamplight-Server.",
  "Export notes as Markdown": "Notizen als Markdown exportieren",
  "Restore a deleted account within 30 days": "Ein gelöschtes Konto innerhalb von 30 Tagen wiederherstellen",
  "See your active sessions": "Aktive Sitzungen ansehen",
  "Settings lists every browser you are signed in to. You can sign out of any of them.":
    "Die Einstellungen zeigen jeden Browser, in dem du angemeldet bist. Du kannst dich in jedem abmelden.",
  "A tutor that shows its sources": "Ein Tutor, der seine Quellen zeigt",
  "Every answer links to the passage it came from.": "Jede Antwort verweist auf die Textstelle, aus der sie stammt.",
};
