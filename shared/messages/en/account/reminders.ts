/** Notifications of the browser, and their settings. */
export const reminders = {
  title: "Reminders",
  due_one: "{{count}} card is due",
  due_other: "{{count}} cards are due",
  begin: "Start with “{{title}}”",
  switch: "Remind me daily when cards are due",
  at: "At",
  text: "One notification a day, at this time or up to four hours later, only on days with due cards. Lamplight must be open in a tab.",
  refused: "Notifications are blocked for this site. Allow them in your browser's settings, then turn this on again.",
  dismissed: "You didn't allow notifications, so reminders stay off. Turn this on to be asked again.",
  unsupported: "This browser can't show notifications for this address. They work over https or on this computer.",
  elsewhere: "Reminders are on in another browser. Not yet allowed in this one.",
  allow: "Allow in this browser",
  wrong_time: "Enter a time, such as 17:00.",
} as const;
