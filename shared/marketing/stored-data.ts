/**
 * Everything that an installation stores, in the words of the privacy page. `tests/marketing/stored-data.test.ts` fails
 * where the API has a collection that is not named here.
 */
interface StoredData {
  collections: readonly string[];
  en: readonly [what: string, howLong: string];
  de: readonly [what: string, howLong: string];
}

const UNTIL_DELETED = [
  "Until you delete it, or 30 days after you delete the account",
  "Bis du es löschst, oder 30 Tage nach dem Löschen des Kontos",
] as const;
const WITH_ACCOUNT = ["As long as the account", "So lange wie das Konto"] as const;

const content = (en: string, de: string, ...collections: string[]): StoredData => ({
  collections,
  en: [en, UNTIL_DELETED[0]],
  de: [de, UNTIL_DELETED[1]],
});
const account = (en: string, de: string, ...collections: string[]): StoredData => ({
  collections,
  en: [en, WITH_ACCOUNT[0]],
  de: [de, WITH_ACCOUNT[1]],
});

export const storedData: readonly StoredData[] = [
  account(
    "Account: name, email address, time zone, plan, the password as a hash that cannot be turned back, accounts at Google or Apple that you signed in with",
    "Konto: Name, E-Mail-Adresse, Zeitzone, Tarif, das Passwort als nicht umkehrbarer Hash, Konten bei Google oder Apple, mit denen du dich angemeldet hast",
    "users",
    "identities",
  ),
  account("Your settings", "Deine Einstellungen", "preferences"),
  content(
    "Pages with their blocks, earlier versions of blocks for 30 days",
    "Seiten mit ihren Blöcken, frühere Fassungen von Blöcken für 30 Tage",
    "pages",
    "components",
    "component_history",
  ),
  content(
    "Folders, pins and favourites",
    "Ordner, Angepinntes und Favoriten",
    "folders",
    "favorites",
    "card_favourites",
  ),
  content(
    "Uploaded files, small pictures of them, and text that was read or recognised in them",
    "Hochgeladene Dateien, kleine Bilder davon und der Text, der darin gelesen oder erkannt wurde",
    "files",
    "uploads",
    "thumbnails",
    "document_passages",
    "document_readings",
    "document_analyses",
    "recognised_pages",
    "imports",
  ),
  content("Highlights and notes on documents", "Markierungen und Notizen in Dokumenten", "annotations"),
  content(
    "Transcripts of videos; those from YouTube for 30 days",
    "Transkripte von Videos; die von YouTube für 30 Tage",
    "transcripts",
    "transcript_slices",
  ),
  content(
    "What was made from your sources for flashcards: texts to read, highlights, coverage",
    "Was für Karteikarten aus deinen Quellen entstand: Lesetexte, Hervorhebungen, Abdeckung",
    "generation_texts",
    "flashcard_highlights",
    "flashcard_coverage",
    "card_moves",
  ),
  content(
    "Your reviews and the schedule that follows from them",
    "Deine Wiederholungen und der Zeitplan, der daraus folgt",
    "reviews",
    "schedules",
    "deck_study",
    "study_days",
    "study_fits",
    "study_fit_turns",
  ),
  content("Conversations with the tutor", "Gespräche mit dem Tutor", "threads", "messages", "answer_places"),
  content(
    "What the browser extension captured, with its address",
    "Was die Browser-Erweiterung aufgenommen hat, mit seiner Adresse",
    "captures",
  ),
  content(
    "An index of your words for the search",
    "Ein Verzeichnis deiner Wörter für die Suche",
    "index_sources",
    "index_shelves",
    "index_postings",
    "index_vectors",
  ),
  content(
    "Links that you shared, and reports about shared content",
    "Links, die du geteilt hast, und Meldungen zu geteilten Inhalten",
    "shares",
    "share_reports",
  ),
  account(
    "Sessions with browser and time of use, tokens as hashes, connected extensions",
    "Sitzungen mit Browser und Zeit der Nutzung, Zugangsschlüssel als Hashes, verbundene Erweiterungen",
    "sessions",
    "tokens",
    "extensions",
    "extension_requests",
    "secrets",
  ),
  account(
    "Connections to other services that you made",
    "Verbindungen zu anderen Diensten, die du hergestellt hast",
    "connections",
    "oauth_journeys",
  ),
  account(
    "Counters of your plan and of used storage, and the limit of a plan that you met first",
    "Zähler deines Tarifs und des belegten Speichers und das Limit, das du zuerst erreicht hast",
    "usages",
    "first_limits",
    "storage_usage",
    "limit_locks",
  ),
  account(
    "Invitation codes and who joined by them",
    "Einladungscodes und wer damit dazukam",
    "referral_codes",
    "referral_credits",
    "invites",
  ),
  account(
    "With a paid plan: your number at the payment provider, its events, the codes you used, notes about the plan",
    "Bei einem bezahlten Tarif: deine Nummer beim Zahlungsanbieter, dessen Ereignisse, deine eingelösten Codes, Vermerke zum Tarif",
    "payers",
    "payment_events",
    "failed_payment_events",
    "used_codes",
    "billing_notes",
    "subscription_times",
  ),
  account("The secret address of your calendar", "Die geheime Adresse deines Kalenders", "calendar_feeds"),
  account(
    "What administrators did with your account, without your content",
    "Was Administratoren mit deinem Konto getan haben, ohne deine Inhalte",
    "admin_audit",
  ),
  account(
    "When administrators read something that you had shared with them",
    "Wann Administratoren etwas gelesen haben, das du mit ihnen geteilt hattest",
    "admin_looks",
  ),
  content(
    "Podcasts: their script with its sources, the spoken parts and the finished episode",
    "Podcasts: ihr Skript mit den Quellen, die gesprochenen Teile und die fertige Folge",
    "podcasts",
    "podcast_scripts",
    "podcast_parts",
    "podcast_segments",
  ),
  content(
    "Websites: their files and versions, and the messages to the agent",
    "Websites: ihre Dateien und Fassungen und die Nachrichten an den Agenten",
    "website_projects",
    "website_threads",
    "website_messages",
    "website_checkpoints",
    "website_texts",
  ),
  content(
    "Research sessions, with copies of the sources that they read",
    "Recherchen, mit Kopien der gelesenen Quellen",
    "research_sessions",
    "research_contents",
    "research_snapshots",
    "research_slots",
  ),
  {
    collections: ["failed_sign_ins", "mail_links", "sign_in_journeys"],
    en: ["Failed sign-ins by address, links in mails, sign-ins that were begun", "Minutes to days, until they expire"],
    de: [
      "Gescheiterte Anmeldungen je Adresse, Links in E-Mails, begonnene Anmeldungen",
      "Minuten bis Tage, bis sie ablaufen",
    ],
  },
  {
    collections: ["sync_requests", "changes", "job", "jobs", "jobEvents"],
    en: ["Changes that were applied and work in progress, so that nothing is done twice", "Days to weeks"],
    de: ["Angewandte Änderungen und laufende Arbeiten, damit nichts doppelt geschieht", "Tage bis Wochen"],
  },
  {
    collections: ["ai_prompts"],
    en: ["Prompts and answers of a language model, only if the operator switched this log on", "30 days"],
    de: [
      "Anfragen an ein Sprachmodell und Antworten, nur wenn der Betreiber dieses Protokoll eingeschaltet hat",
      "30 Tage",
    ],
  },
  {
    collections: ["feedback", "analytics_events"],
    en: ["Feedback that you send, and counts of messages that the app showed", "Until the operator deletes it"],
    de: ["Rückmeldungen, die du sendest, und Zählungen von Meldungen der App", "Bis der Betreiber sie löscht"],
  },
  {
    collections: ["blog_posts", "blog_redirects", "blog_seeds"],
    en: ["Posts of the blog", "Until the operator deletes them"],
    de: ["Beiträge des Blogs", "Bis der Betreiber sie löscht"],
  },
  {
    collections: ["ratings"],
    en: [
      "Your thumbs on answers, cards and completions, the reason you gave, and the text only if you chose to share it",
      "As long as the account",
    ],
    de: [
      "Deine Daumen zu Antworten, Karten und Ergänzungen, dein Grund und der Text nur, wenn du ihn teilst",
      "So lange wie das Konto",
    ],
  },
  {
    collections: ["figure_ledger", "generated_cards"],
    en: ["Counts of what you used each day and which cards were generated, without any of your content", "40 days"],
    de: [
      "Zählungen dessen, was du an einem Tag benutzt hast und welche Karten erzeugt wurden, ohne deine Inhalte",
      "40 Tage",
    ],
  },
  {
    collections: ["card_outcomes"],
    en: [
      "How many generated cards of each form you edited or removed, without their words, unless you switch that off",
      "180 days",
    ],
    de: [
      "Wie viele erzeugte Karten jeder Art du geändert oder gelöscht hast, ohne ihren Wortlaut, wenn du es nicht ausschaltest",
      "180 Tage",
    ],
  },
  {
    collections: ["ai_spending", "payment_prices", "figure_days", "help_ratings", "admin_keys", "marks", "schema"],
    en: ["Figures of the installation without reference to persons", "Permanently"],
    de: ["Angaben zur Installation ohne Bezug zu Personen", "Dauerhaft"],
  },
];
