import { retentionDays } from "#shared/retention.ts";

/**
 * Everything that an installation stores, in the words of the privacy page. `tests/marketing/stored-data.test.ts` fails
 * where the API has a collection that is not named here.
 */
interface StoredData {
  collections: readonly string[];
  en: readonly [what: string, howLong: string];
  de: readonly [what: string, howLong: string];
}

const days = retentionDays;

const UNTIL_DELETED = [
  `Until you delete it, or ${days.deletedAccount} days after you delete the account`,
  `Bis du es löschst, oder ${days.deletedAccount} Tage nach dem Löschen des Kontos`,
] as const;
const WITH_ACCOUNT = [
  `As long as the account and the ${days.deletedAccount} days after you delete it`,
  `So lange wie das Konto und ${days.deletedAccount} Tage nach seinem Löschen`,
] as const;
const IN_TRASH = [
  `Until you delete it and ${days.deletedItems} more days, in which you can restore it, or ${days.deletedAccount} days after you delete the account`,
  `Bis du es löschst und ${days.deletedItems} weitere Tage, in denen du es wiederherstellen kannst, oder ${days.deletedAccount} Tage nach dem Löschen des Kontos`,
] as const;

/** What can be restored for a while after it was deleted, and what is erased with it. */
const restorable = (en: string, de: string, ...collections: string[]): StoredData => ({
  collections,
  en: [en, IN_TRASH[0]],
  de: [de, IN_TRASH[1]],
});
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
  restorable(
    `Pages with their blocks, and earlier versions of blocks, which can be restored for ${days.versions} days`,
    `Seiten mit ihren Blöcken und frühere Fassungen von Blöcken, die sich ${days.versions} Tage lang wiederherstellen lassen`,
    "pages",
    "components",
    "component_history",
  ),
  restorable("Folders", "Ordner", "folders"),
  content("Pins and favourites", "Angepinntes und Favoriten", "favorites", "card_favourites"),
  restorable(
    "Uploaded files, small pictures of them, and text that was read or recognised in them",
    "Hochgeladene Dateien, kleine Bilder davon und der Text, der darin gelesen oder erkannt wurde",
    "files",
    "thumbnails",
    "document_passages",
    "document_readings",
    "document_analyses",
    "recognised_pages",
    "imports",
  ),
  {
    collections: ["uploads"],
    en: ["Files whose upload is not finished", `${days.unfinishedUploads} days after the last part`],
    de: ["Dateien, deren Hochladen nicht beendet ist", `${days.unfinishedUploads} Tage nach dem letzten Teil`],
  },
  restorable("Highlights and notes on documents", "Markierungen und Notizen in Dokumenten", "annotations"),
  restorable(
    `Transcripts of videos; those from YouTube are used for ${days.youtubeTranscripts} days and then fetched again`,
    `Transkripte von Videos; die von YouTube werden ${days.youtubeTranscripts} Tage lang benutzt und dann neu geholt`,
    "transcripts",
    "transcript_slices",
  ),
  {
    collections: ["generation_texts"],
    en: [
      "Texts that you gave for flashcards",
      `Until the cards are made, at most ${days.sourceTexts} days if that never ends`,
    ],
    de: [
      "Texte, die du für Karteikarten gegeben hast",
      `Bis die Karten erzeugt sind, höchstens ${days.sourceTexts} Tage, falls das nie endet`,
    ],
  },
  restorable(
    "What was made from your sources for flashcards: highlights, coverage",
    "Was für Karteikarten aus deinen Quellen entstand: Hervorhebungen, Abdeckung",
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
    "optimizer_queue",
  ),
  content("Conversations with the tutor", "Gespräche mit dem Tutor", "threads", "messages", "answer_slots"),
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
  content("Links that you shared", "Links, die du geteilt hast", "shares"),
  {
    collections: ["share_reports"],
    en: ["Reports about shared content, without the name of who reported it", "Until an administrator removes them"],
    de: ["Meldungen zu geteilten Inhalten, ohne den Namen des Meldenden", "Bis ein Administrator sie entfernt"],
  },
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
    "pending_oauth_flows",
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
    "With a paid plan: your number at the payment provider, the codes you used, notes about the plan",
    "Bei einem bezahlten Tarif: deine Nummer beim Zahlungsanbieter, deine eingelösten Codes, Vermerke zum Tarif",
    "payers",
    "used_codes",
    "billing_notes",
    "subscription_times",
  ),
  {
    collections: ["payment_events", "failed_payment_events"],
    en: ["Events that the payment provider sent", `${days.paymentEvents} days`],
    de: ["Ereignisse, die der Zahlungsanbieter gesendet hat", `${days.paymentEvents} Tage`],
  },
  account("The secret address of your calendar", "Die geheime Adresse deines Kalenders", "calendar_feeds"),
  account(
    "What administrators did with your account, without your content",
    "Was Administratoren mit deinem Konto getan haben, ohne deine Inhalte",
    "admin_audit",
  ),
  account(
    "When administrators read something that you had shared with them",
    "Wann Administratoren etwas gelesen haben, das du mit ihnen geteilt hattest",
    "admin_accesses",
  ),
  restorable(
    `Podcasts: their script with its sources, the finished episode and the spoken parts, of an episode that failed for ${days.spokenLines} days`,
    `Podcasts: ihr Skript mit den Quellen, die fertige Folge und die gesprochenen Teile, bei einer gescheiterten Folge ${days.spokenLines} Tage lang`,
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
  restorable(
    "Research sessions, with copies of the sources that they read",
    "Recherchen, mit Kopien der gelesenen Quellen",
    "research_sessions",
    "research_contents",
    "research_snapshots",
    "research_slots",
  ),
  {
    collections: ["failed_sign_ins", "mail_links", "pending_sign_ins"],
    en: [
      "Failed sign-ins by address, links in mails, sign-ins that were begun",
      `Minutes to ${days.mailedAddressLinks} days; what has expired is removed with the next of its kind`,
    ],
    de: [
      "Gescheiterte Anmeldungen je Adresse, Links in E-Mails, begonnene Anmeldungen",
      `Minuten bis ${days.mailedAddressLinks} Tage; Abgelaufenes wird mit dem nächsten seiner Art entfernt`,
    ],
  },
  {
    collections: ["sync_requests"],
    en: ["Ids of changes that were applied, so that none is applied twice", `${days.appliedRequests} days`],
    de: ["Kennungen angewandter Änderungen, damit keine doppelt geschieht", `${days.appliedRequests} Tage`],
  },
  account(
    "Which things changed last, without their content, so that your other devices load them",
    "Was sich zuletzt geändert hat, ohne den Inhalt, damit deine anderen Geräte es laden",
    "changes",
  ),
  {
    collections: ["jobs", "job_events"],
    en: ["Work in progress, such as making cards, and its result", `${days.endedJobs} days after it ended`],
    de: ["Laufende Arbeiten, etwa das Erzeugen von Karten, und ihr Ergebnis", `${days.endedJobs} Tage nach ihrem Ende`],
  },
  {
    collections: ["ai_prompts"],
    en: ["Prompts and answers of a language model, only if the operator switched this log on", `${days.prompts} days`],
    de: [
      "Anfragen an ein Sprachmodell und Antworten, nur wenn der Betreiber dieses Protokoll eingeschaltet hat",
      `${days.prompts} Tage`,
    ],
  },
  {
    collections: ["feedback"],
    en: ["Feedback that you send", "As long as the account; without an account, until the operator deletes it"],
    de: ["Rückmeldungen, die du sendest", "So lange wie das Konto; ohne Konto, bis der Betreiber sie löscht"],
  },
  {
    collections: ["analytics_events"],
    en: ["Messages that the app showed, only if you allowed it", `${days.analyticsEvents} days`],
    de: ["Meldungen, die die App gezeigt hat, nur wenn du es erlaubst", `${days.analyticsEvents} Tage`],
  },
  {
    collections: ["blog_posts", "blog_redirects", "blog_seeds"],
    en: ["Posts of the blog", "Until the operator deletes them"],
    de: ["Beiträge des Blogs", "Bis der Betreiber sie löscht"],
  },
  account(
    "Your thumbs on answers, cards and completions, the reason you gave, and the text only if you chose to share it",
    "Deine Daumen zu Antworten, Karten und Ergänzungen, dein Grund und der Text nur, wenn du ihn teilst",
    "ratings",
  ),
  {
    collections: ["figure_ledger"],
    en: ["Counts of what you used each day, without any of your content", `${days.figureLedger} days`],
    de: ["Zählungen dessen, was du an einem Tag benutzt hast, ohne deine Inhalte", `${days.figureLedger} Tage`],
  },
  {
    collections: ["generated_cards"],
    en: [
      "Which cards were generated, without their words",
      `${days.generatedCards} days, removed when cards are generated again`,
    ],
    de: [
      "Welche Karten erzeugt wurden, ohne ihren Wortlaut",
      `${days.generatedCards} Tage, entfernt beim nächsten Erzeugen von Karten`,
    ],
  },
  {
    collections: ["card_outcomes"],
    en: [
      "How many generated cards of each form you edited or removed, without their words, unless you switch that off",
      `${days.cardOutcomes} days`,
    ],
    de: [
      "Wie viele erzeugte Karten jeder Art du geändert oder gelöscht hast, ohne ihren Wortlaut, wenn du es nicht ausschaltest",
      `${days.cardOutcomes} Tage`,
    ],
  },
  {
    collections: [
      "ai_spending",
      "payment_prices",
      "figure_days",
      "help_ratings",
      "admin_keys",
      "installation_facts",
      "schema",
    ],
    en: ["Figures of the installation without reference to persons", "Permanently"],
    de: ["Angaben zur Installation ohne Bezug zu Personen", "Dauerhaft"],
  },
];
