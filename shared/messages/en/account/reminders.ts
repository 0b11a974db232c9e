/** What is told outside the window, and where it is turned on. */
export const reminders = {
  title: "Reminders",
  due_one: "{{count}} card is due",
  due_other: "{{count}} cards are due",
  begin: "Begin with “{{title}}”",
  switch: "Tell me once a day when cards are due",
  at: "At",
  text: "One quiet notice, in the four hours after this time, and none on a day without due cards. It comes while Lamplight is open in a tab, also behind others; a closed browser cannot show it.",
  refused:
    "This browser was told to show no notices of Lamplight. Allow them for this site in the browser's settings, then turn this on again.",
  dismissed: "The browser was not allowed to show notices, so this stays off. Turn it on again to be asked once more.",
  unsupported: "This browser shows no notices for this address. Over https, or on this machine itself, it does.",
  elsewhere: "Turned on in another browser. This one has not been asked yet.",
  allow: "Allow in this browser",
  wrong_time: "Enter a time, such as 17:00.",
} as const;
