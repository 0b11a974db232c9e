export const news = {
  offline_title: "Works offline",
  offline_text: "The app opens and reloads without a connection.",
  offline_stored: "Pages you opened and due cards are saved on your device",
  offline_sent: "Your changes are sent when you're back online",
  your_data_title: "Export everything",
  your_data_text: "Download everything as one zip in the settings, and import it into any Lamplight server.",
  your_data_markdown: "Export your notes as Markdown",
  your_data_deletion: "If you delete your account, you have 30 days to change your mind",
  sessions_title: "See where you're signed in",
  sessions_text: "The settings list your active sessions. You can sign out each of them.",
  tutor_title: "A tutor that shows its sources",
  tutor_text: "Every answer links to the passage it comes from.",
} as const;
