export const news = {
  offline_title: "Works in a tunnel",
  offline_text: "The app opens and reloads without a network.",
  offline_stored: "Pages you opened and cards that are due are kept on the device",
  offline_sent: "What you write goes out by itself later",
  your_data_title: "Leave with everything",
  your_data_text: "Settings can pack all you have into one zip, and another Lamplight reads it back.",
  your_data_markdown: "Notes as Markdown besides",
  your_data_deletion: "Deleting the account leaves 30 days to come back",
  sessions_title: "See where you are signed in",
  sessions_text: "Settings list every browser, and sign any of them out.",
  tutor_title: "A tutor that shows its sources",
  tutor_text: "Every answer carries the passage it stands on, one press away.",
} as const;
