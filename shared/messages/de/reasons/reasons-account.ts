export const reasonsAccount = {
  sign_in: "Bitte melde dich an.",
  sign_in_again: "Bitte melde dich noch einmal an.",
  token_replaced: "Diese Anmeldung wurde gerade erneuert. Bitte versuche es noch einmal.",
  not_for_extensions: "Eine Browser-Erweiterung darf das nicht. Nutze dafür die Web-App.",
  confirm_it_is_you: "Melde dich noch einmal an, um zu bestätigen, dass du es bist.",
  wrong_credentials: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  wrong_password: "Das Passwort ist falsch.",
  password_common: "Dieses Passwort ist zu verbreitet. Wähle ein anderes.",
  mail_not_sent: "Die E-Mail konnte nicht verschickt werden. Bitte versuche es später noch einmal.",
  password_guessable:
    "Dieses Passwort ist aus deinem Namen, deiner E-Mail-Adresse oder diesem Produkt leicht zu erraten. Wähle ein anderes.",
  no_account_made: "Mit dieser E-Mail-Adresse konnte kein Konto erstellt werden.",
  no_account_made_sign_in:
    "Mit dieser E-Mail-Adresse konnte kein Konto erstellt werden. Wenn es deine ist, melde dich stattdessen an.",
  registration_closed: "Die Registrierung ist auf diesem Server geschlossen. Bitte deinen Administrator um ein Konto.",
  registration_invited:
    "Registrieren kannst du dich nur mit Einladung. Öffne deinen Einladungslink, um ein Konto zu erstellen.",
  no_invitation: "Diese Einladung gibt es nicht.",
  no_session: "Diese Sitzung ist schon beendet.",
  issuer_not_set_up: "Die Anmeldung mit {{issuer}} ist auf diesem Server nicht eingerichtet.",
  issuer_unreachable: "{{issuer}} ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  issuer_not_confirmed: "{{issuer}} hat diese Anmeldung nicht bestätigt. Bitte versuche es noch einmal.",
  sign_in_attempt_expired: "Dieser Anmeldeversuch ist abgelaufen. Bitte melde dich noch einmal an.",
  issuer_address_unverified:
    "Die E-Mail-Adresse dieses Kontos ist dort nicht bestätigt. Bestätige sie zuerst und versuche es dann noch einmal.",
  address_unconfirmed_here:
    "Es gibt ein Konto mit dieser E-Mail-Adresse, aber sie wurde nie bestätigt. Melde dich mit dem Passwort an und bestätige zuerst die Adresse.",
  link_expired: "Dieser Link ist abgelaufen oder wurde schon benutzt. Fordere einen neuen an.",
  no_mail_server: "Auf diesem Server ist kein E-Mail-Versand eingerichtet.",
  address_taken: "Inzwischen verwendet ein anderes Konto diese E-Mail-Adresse.",
  address_refused: "Diese E-Mail-Adresse kann nicht verwendet werden.",
  administrators_only: "Das ist nur für Administratoren möglich.",
  preferences_invalid: "Deine Einstellungen konnten nicht gespeichert werden: Einer der Werte ist nicht erlaubt.",
  time_zone_unknown: "Unbekannte Zeitzone. Verwende einen Namen wie Europe/Berlin.",
  not_allowed_in_settings: "Das ist in deinen Einstellungen ausgeschaltet. Schalte es dort zuerst ein.",
  export_damaged:
    "Das ist kein Lamplight-Export, oder die Datei ist beschädigt. Wähle die Zip-Datei so, wie du sie heruntergeladen hast.",
  no_file_sent: "Die Anfrage enthält keine Datei.",
  no_picture_sent: "Die Anfrage enthält kein Bild.",
  no_picture: "Dieses Bild gibt es nicht.",
  picture_unreadable: "Dieses Bild kann nicht gelesen werden. Wähle ein anderes.",
  picture_type: "Dieses Bild kann nicht gelesen werden. Wähle eine JPEG-, PNG- oder WebP-Datei.",
} as const;
