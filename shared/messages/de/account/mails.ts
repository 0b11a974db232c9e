export const mails = {
  reset_subject: "Ein neues Passwort für Lamplight",
  reset:
    "Jemand, hoffentlich du, hat um ein neues Passwort gebeten. Mit diesem Link setzt du eines. Er gilt einmal, eine Stunde lang:",
  reset_else: "Wenn du es nicht warst, hat sich nichts geändert, und es ist nichts zu tun.",
  verify_subject: "Ist das deine Adresse?",
  verify: "Öffne diesen Link, um zu bestätigen, dass diese Adresse dir gehört. Er gilt drei Tage:",
  verify_else:
    "Wenn du kein Konto bei Lamplight hast, hat sich jemand bei der Adresse vertippt: bitte beachte diese Mail nicht.",
  moved_subject: "Dein Konto bei Lamplight hat jetzt eine andere Adresse",
  moved: "Die Adresse deines Kontos wurde geändert; mit dieser hier meldet man sich nicht mehr an.",
  moved_else: "Wenn du es nicht warst, bitte sofort die Person um Hilfe, die dieses Lamplight betreibt.",
  password_subject: "Dein Passwort bei Lamplight wurde geändert",
  password: "Das Passwort deines Kontos wurde geändert, und jedes andere Gerät ist abgemeldet.",
  password_else: "Wenn du es nicht warst, setze mit „Passwort vergessen?“ auf der Anmeldeseite ein neues.",
  joined_subject: "Ein weiterer Weg in dein Konto bei Lamplight",
  joined: "Dein Konto wurde über {{name}} betreten, das für deine Adresse bürgt, und kann es von jetzt an.",
  joined_else:
    "Wenn du es nicht warst, sichere das Konto bei {{name}}, und bitte die Person um Hilfe, die dieses Lamplight betreibt.",
  invite_subject: "Du bist zu Lamplight eingeladen",
  invite: "Mit diesem Link legst du ein Konto an. Er gilt einmal, zwei Wochen lang:",
  invite_else: "Wenn du nicht weißt, worum es geht, beachte diese Mail bitte nicht.",
} as const;
