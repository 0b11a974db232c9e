export const mails = {
  reset_subject: "Neues Passwort für Lamplight",
  reset:
    "Für dein Konto wurde ein neues Passwort angefordert. Mit diesem Link legst du es fest. Er funktioniert einmal und läuft nach einer Stunde ab:",
  reset_not_you: "Wenn du das nicht warst, kannst du diese E-Mail ignorieren. Dein Passwort wurde nicht geändert.",
  verify_subject: "Bestätige deine E-Mail-Adresse",
  verify: "Öffne diesen Link, um deine E-Mail-Adresse zu bestätigen. Er läuft nach drei Tagen ab:",
  verify_not_you:
    "Wenn du kein Lamplight-Konto hast, kannst du diese E-Mail ignorieren. Wahrscheinlich hat sich jemand bei der Adresse vertippt.",
  email_changed_subject: "Deine E-Mail-Adresse bei Lamplight wurde geändert",
  email_changed:
    "Die E-Mail-Adresse deines Kontos wurde geändert. Mit dieser Adresse kannst du dich nicht mehr anmelden.",
  email_changed_not_you: "Wenn du das nicht warst, melde dich sofort bei deinem Lamplight-Administrator.",
  password_subject: "Dein Lamplight-Passwort wurde geändert",
  password: "Das Passwort deines Kontos wurde geändert und du wurdest auf allen anderen Geräten abgemeldet.",
  password_not_you:
    "Wenn du das nicht warst, lege über „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort fest.",
  provider_linked_subject: "Neue Anmeldemethode für dein Lamplight-Konto",
  provider_linked:
    "Du hast dich mit {{name}} bei Lamplight angemeldet. Du kannst dich ab jetzt damit in deinem Konto anmelden.",
  provider_linked_not_you:
    "Wenn du das nicht warst, sichere dein Konto bei {{name}} und melde dich bei deinem Lamplight-Administrator.",
  lockout_subject: "Zehn falsche Passwörter für dein Lamplight-Konto",
  lockout:
    "Für dein Konto wurden zehn falsche Passwörter eingegeben. Die Anmeldung mit Passwort ist 15 Minuten lang gesperrt. Angemeldete Geräte funktionieren weiter.",
  lockout_not_you:
    "Wenn du das warst, warte oder nutze „Passwort vergessen?“ auf der Anmeldeseite. Wenn nicht, verwende ein Passwort, das niemand erraten kann.",
  sign_in_after_failures_subject: "Anmeldung bei Lamplight nach falschen Passwörtern",
  sign_in_after_failures: "Nach {{name}} falschen Passwörtern hat sich jemand in deinem Konto angemeldet.",
  sign_in_after_failures_not_you:
    "Wenn du das nicht warst, lege über „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort fest. Das meldet alle Geräte ab.",
  feedback_answer_subject: "Dein Feedback zu Lamplight",
  invite_subject: "Du bist zu Lamplight eingeladen",
  invite: "Mit diesem Link erstellst du dein Konto. Er funktioniert einmal und läuft nach zwei Wochen ab:",
  invite_not_you: "Wenn du diese Einladung nicht erwartet hast, kannst du diese E-Mail ignorieren.",
} as const;
