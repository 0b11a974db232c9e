import { servedWork } from "./served-work.ts";

/**
 * What the server says, and rules that it shares with its clients: English on the wire, to the letter, and German where
 * German is read. In double braces stands what the server puts in.
 */
export const served: Readonly<Record<string, string>> = {
  // Accounts
  "Please sign in.": "Bitte melde dich an.",
  "Please sign in again.": "Bitte melde dich noch einmal an.",
  "Please sign in again first, so that we know it is you.":
    "Bitte melde dich zuerst noch einmal an, damit wir wissen, dass du es bist.",
  "The address or the password is not right.": "Die Adresse oder das Passwort stimmt nicht.",
  "The password is not right.": "Das Passwort stimmt nicht.",
  "This password is on lists of common ones. Please choose another.":
    "Dieses Passwort steht auf Listen häufiger Passwörter. Bitte wähle ein anderes.",
  "The mail could not be sent. Please try again later.":
    "Die Mail konnte nicht verschickt werden. Bitte versuche es später noch einmal.",
  "This password is easy to guess from your name, address or this product.":
    "Dieses Passwort ist aus deinem Namen, deiner Adresse oder diesem Produkt leicht zu erraten.",
  "No account could be made with this address.": "Mit dieser Adresse konnte kein Konto angelegt werden.",
  "No account could be made with this address. If it is yours, sign in instead.":
    "Mit dieser Adresse konnte kein Konto angelegt werden. Wenn es deine ist, melde dich stattdessen an.",
  "This Lamplight takes no new accounts. Ask the person who runs it.":
    "Dieses Lamplight nimmt keine neuen Konten auf. Frage die Person, die es betreibt.",
  "This Lamplight takes invited people alone. Open the link of your invitation to make an account.":
    "Dieses Lamplight nimmt nur Eingeladene auf. Öffne den Link deiner Einladung, um ein Konto anzulegen.",
  "There is no such invitation.": "Diese Einladung gibt es nicht.",
  "There is no such session.": "Diese Sitzung gibt es nicht.",
  "Sign-in by {{issuer}} is not set up on this server.":
    "Die Anmeldung mit {{issuer}} ist auf diesem Server nicht eingerichtet.",
  "{{issuer}} could not be reached. Please try again in a moment.":
    "{{issuer}} ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  "{{issuer}} did not confirm this sign-in. Please try again.":
    "{{issuer}} hat diese Anmeldung nicht bestätigt. Bitte versuche es noch einmal.",
  "This way back is no longer valid. Please sign in again.":
    "Dieser Rückweg gilt nicht mehr. Bitte melde dich noch einmal an.",
  "The address of that account is not confirmed there. Please confirm it first.":
    "Die Adresse dieses Kontos ist dort nicht bestätigt. Bitte bestätige sie zuerst.",
  "An account here has this address, but never confirmed it. Sign in with its password and confirm the address first.":
    "Ein Konto hier hat diese Adresse, hat sie aber nie bestätigt. Melde dich mit seinem Passwort an und bestätige zuerst die Adresse.",
  "This link was used already, or is too old. Please ask for a new one.":
    "Dieser Link wurde schon benutzt oder ist zu alt. Bitte fordere einen neuen an.",
  "This server sends no mail.": "Dieser Server verschickt keine Mails.",
  "Another account has this address by now.": "Inzwischen hat ein anderes Konto diese Adresse.",
  "This address cannot be taken.": "Diese Adresse kann nicht genommen werden.",
  "This is for administrators.": "Das ist nur für Verwalter.",

  // Settings
  "These preferences cannot be stored: one of the values is not allowed.":
    "Diese Einstellungen können nicht gespeichert werden: einer der Werte ist nicht erlaubt.",
  "This is not a time zone we know. An example of one: Europe/Berlin.":
    "Diese Zeitzone kennen wir nicht. Ein Beispiel: Europe/Berlin.",
  "You have not allowed this. It can be allowed in the settings.":
    "Das hast du nicht erlaubt. In den Einstellungen kannst du es erlauben.",
  "This is not an export of Lamplight, or it is damaged. Please choose the zip as it came.":
    "Das ist kein Export von Lamplight, oder er ist beschädigt. Bitte wähle das Zip, wie es kam.",
  "There is no file in this call.": "In diesem Aufruf ist keine Datei.",
  "There is no picture in this call.": "In diesem Aufruf ist kein Bild.",
  "There is no such picture.": "Dieses Bild gibt es nicht.",
  "This picture cannot be read.": "Dieses Bild kann nicht gelesen werden.",
  "This picture cannot be read. Please choose a JPEG, PNG or WebP.":
    "Dieses Bild kann nicht gelesen werden. Bitte wähle ein JPEG, PNG oder WebP.",

  // Calls
  "There is nothing at this address.": "Unter dieser Adresse ist nichts.",
  "There is no such call.": "Diesen Aufruf gibt es nicht.",
  "This call is made with {{methods}}.": "Dieser Aufruf geschieht mit {{methods}}.",
  "The request could not be understood.": "Die Anfrage wurde nicht verstanden.",
  "The request is too large.": "Die Anfrage ist zu groß.",
  "The request ended before it was complete.": "Die Anfrage brach ab, bevor sie vollständig war.",
  "The request body is not UTF-8 text.": "Der Inhalt der Anfrage ist kein UTF-8-Text.",
  "The request body is not valid JSON.": "Der Inhalt der Anfrage ist kein gültiges JSON.",
  "The request body must be a JSON object.": "Der Inhalt der Anfrage muss ein JSON-Objekt sein.",
  "Please send a multipart form.": "Bitte sende ein mehrteiliges Formular.",
  "The form is not complete.": "Das Formular ist nicht vollständig.",
  "A part of the form is named with signs that cannot be read. Rename the file.":
    "Ein Teil des Formulars ist mit Zeichen benannt, die nicht gelesen werden können. Benenne die Datei um.",
  "A field of the form is too large.": "Ein Feld des Formulars ist zu groß.",
  "Please send at most {{count}} files at once.": "Bitte sende höchstens {{count}} Dateien auf einmal.",
  "Something is missing.": "Etwas fehlt.",
  "Too many requests. Please wait a moment and try again.":
    "Zu viele Anfragen. Bitte warte einen Moment und versuche es noch einmal.",
  "Too many changes at once. Please try again.": "Zu viele Änderungen auf einmal. Bitte versuche es noch einmal.",
  "Something went wrong. Please try again.": "Etwas ist schiefgegangen. Bitte versuche es noch einmal.",
  "Something went wrong on our side. Please try again.":
    "Auf unserer Seite ist etwas schiefgegangen. Bitte versuche es noch einmal.",
  "The work ended without a result.": "Die Arbeit endete ohne Ergebnis.",
  "Stopped.": "Angehalten.",
  "That part of the file does not exist.": "Diesen Teil der Datei gibt es nicht.",
  "There is no space left on the server. Nothing of this was saved.":
    "Auf dem Server ist kein Platz mehr. Nichts davon wurde gespeichert.",
  "There is no such thing.": "Das gibt es nicht.",
  "There is nothing like that.": "So etwas gibt es nicht.",
  "This id is taken": "Diese Kennung ist vergeben",
  "This id is taken.": "Diese Kennung ist vergeben.",

  // What a schema of the contract says of one field
  "{{field}}: Invalid email address": "{{field}}: Das ist keine E-Mail-Adresse",
  "{{field}}: Invalid URL": "{{field}}: Das ist keine Webadresse",
  "{{field}}: Too small: expected string to have >={{least}} characters": "{{field}}: mindestens {{least}} Zeichen",
  "{{field}}: Too big: expected string to have <={{most}} characters": "{{field}}: höchstens {{most}} Zeichen",
  "{{field}}: Too small: expected array to have >={{least}} items": "{{field}}: mindestens {{least}}",
  "{{field}}: Too big: expected array to have <={{most}} items": "{{field}}: höchstens {{most}}",
  "{{field}}: Too small: expected number to be >={{least}}": "{{field}}: mindestens {{least}}",
  "{{field}}: Too big: expected number to be <={{most}}": "{{field}}: höchstens {{most}}",
  "{{field}}: Invalid input: expected {{expected}}, received undefined": "{{field}}: fehlt",
  "{{field}}: Invalid input: expected {{expected}}, received {{received}}": "{{field}}: hat die falsche Form",
  "{{field}}: Invalid option: expected one of {{options}}": "{{field}}: eines von {{options}}",
  "{{field}}: Invalid string: must match pattern {{pattern}}": "{{field}}: hat die falsche Form",
  "{{field}}: Invalid input": "{{field}}: hat die falsche Form",

  // Changes on their way
  "These changes belong to another account.": "Diese Änderungen gehören zu einem anderen Konto.",
  "These captures are another account's.": "Diese Funde gehören zu einem anderen Konto.",
  "This cannot be stored.": "Das kann nicht gespeichert werden.",
  "This waits for an earlier change of the same thing.": "Das wartet auf eine frühere Änderung derselben Sache.",
  "Too many browsers follow this account at once.": "Zu viele Browser folgen diesem Konto gleichzeitig.",
  "We ran into an issue trying to save your data, please refresh the page if this continues to occur.":
    "Beim Speichern deiner Daten gab es ein Problem. Bitte lade die Seite neu, wenn es so bleibt.",

  // Pages
  "There is no such page.": "Diese Seite gibt es nicht.",
  "There is no such component.": "Dieses Element gibt es nicht.",
  "There is no such version.": "Diese Fassung gibt es nicht.",
  "This page is full.": "Diese Seite ist voll.",
  "Pages cannot lie that deep.": "So tief können Seiten nicht liegen.",
  "This content does not fit its component.": "Dieser Inhalt passt nicht zu seinem Element.",
  "This is too much for one component. Please split it.": "Das ist zu viel für ein Element. Bitte teile es auf.",
  "The component has another id than its request.": "Das Element hat eine andere Kennung als seine Anfrage.",
  "There is no such folder.": "Diesen Ordner gibt es nicht.",
  "A folder cannot lie inside itself.": "Ein Ordner kann nicht in sich selbst liegen.",
  "This folder holds nothing that a title could be made from.":
    "In diesem Ordner ist nichts, woraus ein Titel werden könnte.",
  "There is no such thing to pin.": "Das zum Anheften gibt es nicht.",

  // Files
  "Please choose a file to upload.": "Bitte wähle eine Datei zum Hochladen.",
  "The file is empty. Please select a valid file.": "Die Datei ist leer. Bitte wähle eine andere.",
  "The file couldn't be processed. Please ensure it's a valid file and try again.":
    "Die Datei konnte nicht verarbeitet werden. Bitte prüfe, ob sie in Ordnung ist, und versuche es noch einmal.",
  'File type "{{type}}" is not supported. Please upload a PDF or image file.':
    "Der Dateityp „{{type}}“ wird nicht unterstützt. Bitte lade ein PDF oder ein Bild hoch.",
  'File type "image/heic" is not supported. Please upload a PDF or image file. Your phone can save or share the photo as JPEG.':
    "Der Dateityp „image/heic“ wird nicht unterstützt. Bitte lade ein PDF oder ein Bild hoch. Dein Telefon kann das Foto als JPEG speichern oder teilen.",
  "Unsupported file type.": "Dieser Dateityp wird nicht unterstützt.",
  "This appears to be a PDF file. Please ensure it's a valid PDF and try again.":
    "Das scheint ein PDF zu sein. Bitte prüfe, ob es in Ordnung ist, und versuche es noch einmal.",
  "This file doesn't appear to be a valid PDF. Please ensure it's not corrupted.":
    "Diese Datei scheint kein gültiges PDF zu sein. Bitte prüfe, ob sie beschädigt ist.",
  "This file is protected by a password. Please remove the password and upload it again.":
    "Diese Datei ist durch ein Passwort geschützt. Bitte entferne es und lade sie noch einmal hoch.",
  "This PDF is protected by a password. Please remove the password and upload it again.":
    "Dieses PDF ist durch ein Passwort geschützt. Bitte entferne es und lade es noch einmal hoch.",
  "The request took too long. Please try again with a smaller file.":
    "Die Anfrage hat zu lange gedauert. Bitte versuche es mit einer kleineren Datei.",
  "Reading this file took too long. Please upload it in smaller parts.":
    "Das Lesen dieser Datei hat zu lange gedauert. Bitte lade sie in kleineren Teilen hoch.",
  "Reading this file takes more memory than there is for one file. Please upload it in smaller parts.":
    "Das Lesen dieser Datei braucht mehr Speicher, als es für eine Datei gibt. Bitte lade sie in kleineren Teilen hoch.",
  "The text in this file could not be recognised. Please try a sharper picture or another file.":
    "Der Text in dieser Datei konnte nicht erkannt werden. Bitte versuche es mit einem schärferen Bild oder einer anderen Datei.",
  "The file could not be stored. Please try again later.":
    "Die Datei konnte nicht gespeichert werden. Bitte versuche es später noch einmal.",
  "The upload was cancelled.": "Das Hochladen wurde abgebrochen.",
  "There is no such upload.": "Diesen Upload gibt es nicht.",
  "There is no such file.": "Diese Datei gibt es nicht.",
  "There is no such file, or the link to it has expired.":
    "Diese Datei gibt es nicht, oder der Link zu ihr ist abgelaufen.",
  "There is no piece in this call.": "In diesem Aufruf ist kein Stück.",
  "The upload stands at another place.": "Der Upload steht an einer anderen Stelle.",
  "This is more than the upload was said to hold.": "Das ist mehr, als für diesen Upload angekündigt war.",
  "A piece holds at least {{bytes}} bytes, unless it is the last.":
    "Ein Stück hat mindestens {{bytes}} Bytes, außer dem letzten.",
  "A piece of an upload may not be that large.": "So groß darf ein Stück eines Uploads nicht sein.",
  "There is no picture of this.": "Davon gibt es kein Bild.",
  "There is neither a picture nor a length in this call.": "In diesem Aufruf ist weder ein Bild noch eine Länge.",
  "No data received": "Es kamen keine Daten an",

  // Addresses of others
  "This address cannot be opened. It must begin with http:// or https://.":
    "Diese Adresse kann nicht geöffnet werden. Sie muss mit http:// oder https:// beginnen.",
  "Nothing could be fetched from this address. Please check it and try again.":
    "Von dieser Adresse konnte nichts geholt werden. Bitte prüfe sie und versuche es noch einmal.",
  "This address leads on too many times. Please use the address where it ends.":
    "Diese Adresse leitet zu oft weiter. Bitte nimm die Adresse, bei der sie endet.",
  "What stands at this address is larger than 20 MB.": "Was unter dieser Adresse liegt, ist größer als 20 MB.",
  "This address did not answer within 10 seconds.": "Diese Adresse hat nicht innerhalb von 10 Sekunden geantwortet.",
  "The download was cancelled.": "Das Herunterladen wurde abgebrochen.",
  "This address answered with the status {{status}}, and no file.":
    "Diese Adresse hat mit dem Status {{status}} geantwortet und nicht mit einer Datei.",

  // Limits
  "You've reached your usage limit. Upgrade to continue!":
    "Du hast deine Grenze erreicht. Mit einem größeren Tarif geht es weiter!",
  "You've reached your daily upload limit. Upgrade to Ultimate for unlimited uploads!":
    "Du hast die Grenze für Uploads für heute erreicht. Mit Ultimate lädst du unbegrenzt hoch!",
  "You've used all {{limit}} uploads today. Upgrade to Ultimate for unlimited uploads!":
    "Du hast heute alle {{limit}} Uploads verbraucht. Mit Ultimate lädst du unbegrenzt hoch!",
  "This is your last upload today.": "Das ist dein letzter Upload für heute.",
  "After this one, 1 upload is left today.": "Danach ist heute noch 1 Upload übrig.",
  "After this one, {{count}} uploads are left today.": "Danach sind heute noch {{count}} Uploads übrig.",
  "File too large ({{size}}MB). Your plan allows up to {{most}}MB.":
    "Die Datei ist zu groß ({{size}} MB). Dein Tarif erlaubt bis zu {{most}} MB.",
  "File too large ({{size}}MB). Your plan allows up to {{most}}MB. Upgrade for {{more}}MB files!":
    "Die Datei ist zu groß ({{size}} MB). Dein Tarif erlaubt bis zu {{most}} MB. Ein größerer Tarif erlaubt {{more}} MB!",
  "Your {{size}}MB file exceeds the {{most}}MB limit for free users. Please upgrade to upload larger files.":
    "Deine Datei hat {{size}} MB, im freien Tarif sind es höchstens {{most}} MB. Ein größerer Tarif nimmt größere Dateien.",
  "File size ({{size}}MB) exceeds the maximum {{most}}MB limit.":
    "Die Datei hat {{size}} MB, erlaubt sind höchstens {{most}} MB.",
  "{{label}} (Limit Reached)": "{{label}} (Grenze erreicht)",
  "Unlimited uploads": "Unbegrenzt viele Uploads",
  "Daily limit reached ({{used}}/{{limit}})": "Grenze für heute erreicht ({{used}}/{{limit}})",
  "Uploads left today: {{left}} of {{limit}}": "Heute noch übrige Uploads: {{left}} von {{limit}}",

  ...servedWork,
};
