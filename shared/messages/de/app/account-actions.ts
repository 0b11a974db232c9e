/** Was Administratoren mit einem Konto tun. */
export const accountActions = {
  plan_title: "Tarif",
  plan_text: "Setzt den Tarif, den das Konto ohne Zahlung hat.",
  plan_subscription: "Dieses Konto bezahlt einen Tarif. Der höhere von beiden gilt.",
  plan_type: "Tarif",
  plan_until: "Letzter Tag, leer für kein Ende",
  plan_set: "Tarif setzen",
  plan_done: "{{name}} hat jetzt {{plan}}.",
  access_title: "Zugang",
  disable_text:
    "Ein gesperrtes Konto kann sich nicht anmelden. Es wird nichts gelöscht, und du kannst es wieder entsperren.",
  delete_text:
    "Löscht das Konto so, als hätte sein Besitzer das verlangt: Zahlungen werden beendet, alle Sitzungen auch, und nach 30 Tagen wird alles entfernt. Bis dahin kann der Besitzer es durch Anmelden behalten, außer das Konto ist auch gesperrt.",
  own_password: "Dein eigenes Passwort",
  disable: "Konto sperren",
  delete: "Konto löschen",
  disabled_since: "Gesperrt am {{date}}",
  disabled: "Gesperrt",
  enable: "Konto entsperren",
  restore: "Konto behalten",
  disable_done: "{{name}} wurde gesperrt.",
  enable_done: "{{name}} kann sich wieder anmelden.",
  delete_done: "{{name}} wird am {{date}} gelöscht.",
  restore_done: "{{name}} wird nicht gelöscht.",
  protected: "Administratoren können nicht gesperrt oder gelöscht werden. Entzieh ihnen zuerst die Rechte.",
  protected_self: "Das ist dein eigenes Konto. Ein anderer Administrator kann dir die Rechte entziehen.",
  protected_setting:
    "Die Einstellungen des Servers (ADMIN_EMAILS) machen dieses Konto zum Administrator. Es kann hier nicht gesperrt oder gelöscht werden.",
  demote: "Administratorrechte entziehen",
  demote_done: "{{name}} ist kein Administrator mehr.",
} as const;
