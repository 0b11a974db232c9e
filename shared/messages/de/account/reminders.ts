export const reminders = {
  title: "Erinnerungen",
  due_one: "{{count}} Karte ist fällig",
  due_other: "{{count}} Karten sind fällig",
  begin: "Beginne mit „{{title}}“",
  switch: "Täglich erinnern, wenn Karten fällig sind",
  at: "Um",
  text: "Eine Mitteilung innerhalb von vier Stunden nach dieser Uhrzeit, nur an Tagen mit fälligen Karten. Lamplight muss in einem Tab offen sein.",
  refused:
    "Mitteilungen sind für diese Website blockiert. Erlaube sie in den Browser-Einstellungen und schalte dies wieder ein.",
  dismissed:
    "Du hast Mitteilungen nicht erlaubt, daher bleiben Erinnerungen aus. Schalte dies ein, um noch einmal gefragt zu werden.",
  unsupported:
    "Dieser Browser kann für diese Adresse keine Mitteilungen anzeigen. Über https oder auf diesem Computer funktionieren sie.",
  elsewhere: "In einem anderen Browser eingeschaltet. In diesem noch nicht erlaubt.",
  allow: "In diesem Browser erlauben",
  wrong_time: "Gib eine Uhrzeit ein, zum Beispiel 17:00.",
} as const;
