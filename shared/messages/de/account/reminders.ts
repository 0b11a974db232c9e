export const reminders = {
  title: "Erinnerungen",
  due_one: "{{count}} Karte ist fällig",
  due_other: "{{count}} Karten sind fällig",
  begin: "Beginne mit „{{title}}“",
  switch: "Sag mir einmal am Tag, wenn Karten fällig sind",
  at: "Um",
  text: "Eine leise Meldung in den vier Stunden nach dieser Zeit, und keine an einem Tag ohne fällige Karten. Sie kommt, solange Lamplight in einem Tab offen ist, auch hinter anderen; ein geschlossener Browser kann sie nicht zeigen.",
  refused:
    "Diesem Browser wurde gesagt, keine Meldungen von Lamplight zu zeigen. Erlaube sie für diese Seite in den Einstellungen des Browsers und schalte dies dann wieder ein.",
  dismissed:
    "Der Browser durfte keine Meldungen zeigen, also bleibt dies aus. Schalte es wieder ein, um noch einmal gefragt zu werden.",
  unsupported:
    "Dieser Browser zeigt für diese Adresse keine Meldungen. Über https oder auf diesem Rechner selbst geht es.",
  elsewhere: "In einem anderen Browser eingeschaltet. Dieser wurde noch nicht gefragt.",
  allow: "In diesem Browser erlauben",
  wrong_time: "Gib eine Zeit ein, etwa 17:00.",
} as const;
