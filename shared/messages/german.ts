import { accessLog } from "./de/app/access-log.ts";
import { account } from "./de/account/account.ts";
import { accountActions } from "./de/app/account-actions.ts";
import { admin } from "./de/app/admin.ts";
import { auth } from "./de/account/auth.ts";
import { billing } from "./de/account/billing.ts";
import { calendar } from "./de/account/calendar.ts";
import { cardDialogs } from "./de/study/card-dialogs.ts";
import { common } from "./de/app/common.ts";
import { connections } from "./de/account/connections.ts";
import { extensions } from "./de/app/extensions.ts";
import { failures } from "./de/app/failures.ts";
import { figures } from "./de/app/figures.ts";
import { flashcards } from "./de/study/flashcards.ts";
import { home } from "./de/study/home.ts";
import { imports } from "./de/content/imports.ts";
import { labs } from "./de/account/labs.ts";
import { library } from "./de/content/library.ts";
import { lists } from "./de/app/lists.ts";
import { localModels } from "./de/account/local-models.ts";
import { marketing } from "./de/app/marketing.ts";
import { modes } from "./de/study/modes.ts";
import { news } from "./de/app/news.ts";
import { overlays } from "./de/app/overlays.ts";
import { pages } from "./de/content/pages.ts";
import { pdf } from "./de/content/pdf.ts";
import { phrases } from "./de/study/phrases.ts";
import { planning } from "./de/study/planning.ts";
import { podcasts } from "./de/content/podcasts.ts";
import { posts } from "./de/app/posts.ts";
import { quiz } from "./de/study/quiz.ts";
import { rating } from "./de/app/rating.ts";
import { reasons } from "./de/reasons/reasons.ts";
import { reminders } from "./de/account/reminders.ts";
import { research } from "./de/study/research.ts";
import { sharing } from "./de/content/sharing.ts";
import { shell } from "./de/app/shell.ts";
import { sources } from "./de/content/sources.ts";
import { study } from "./de/study/study.ts";
import { tutor } from "./de/study/tutor.ts";
import { unsaved } from "./de/content/unsaved.ts";
import { uploads } from "./de/content/uploads.ts";
import { user } from "./de/account/user.ts";
import { video } from "./de/content/video.ts";
import { website } from "./de/content/website.ts";
import { welcome } from "./de/account/welcome.ts";

/** All German messages of the web app in one file, loaded only if German is chosen. */
export const table = {
  accessLog,
  account,
  accountActions,
  admin,
  auth,
  billing,
  calendar,
  cardDialogs,
  common,
  connections,
  extensions,
  failures,
  figures,
  flashcards,
  home,
  imports,
  labs,
  library,
  lists,
  localModels,
  marketing,
  modes,
  news,
  overlays,
  pages,
  pdf,
  phrases,
  planning,
  podcasts,
  posts,
  quiz,
  rating,
  reasons,
  reminders,
  research,
  sharing,
  shell,
  sources,
  study,
  tutor,
  unsaved,
  uploads,
  user,
  video,
  website,
  welcome,
} as const;

/** Titles of screens, by those of the table of screens. */
export const titles: Readonly<Record<string, string>> = {
  Website: "Website",
  Websites: "Websites",
  Administration: "Verwaltung",
  Accounts: "Konten",
  Figures: "Kennzahlen",
  "Model calls by file and account": "Modellaufrufe nach Datei und Konto",
  "Completion feedback": "Bewertungen",
  Feedback: "Feedback",
  Blog: "Blog",
  Posts: "Beiträge",
  "New post": "Neuer Beitrag",
  "Recent flashcards": "Neue Karteikarten",
  Conversations: "Unterhaltungen",
  Conversation: "Unterhaltung",
  "Reasons to leave": "Kündigungsgründe",
  "Subscription timing": "Zeitpunkt der Abos",
  "Who studies here": "Wer hier lernt",
  "Lamplight: read it once, keep it": "Lamplight: einmal lesen, behalten",
  Home: "Start",
  Tutor: "Tutor",
  Search: "Suche",
  Billing: "Abrechnung",
  Pricing: "Preise",
  "Sign in": "Anmelden",
  "Create account": "Konto erstellen",
  "Sign out": "Abmelden",
  Settings: "Einstellungen",
  Assistant: "Assistent",
  Labs: "Labor",
  Canvas: "Leinwand",
  Connections: "Verbindungen",
  "What's new": "Neuigkeiten",
  Sources: "Quellen",
  Welcome: "Willkommen",
  Explore: "Entdecken",
  "Search shared content": "Geteilte Inhalte durchsuchen",
  "Shared with you": "Mit dir geteilt",
  "Reset password": "Passwort zurücksetzen",
  "New password": "Neues Passwort",
  "Verify email": "E-Mail bestätigen",
  "Signing in": "Anmeldung",
  "Copy page": "Seite kopieren",
  "Copy PDF": "PDF kopieren",
  "All content": "Alle Inhalte",
  Folder: "Ordner",
  Page: "Seite",
  Flashcards: "Karteikarten",
  Study: "Lernen",
  Research: "Recherche",
  "Print flashcards": "Karteikarten drucken",
  PDF: "PDF",
  Video: "Video",
  Podcast: "Podcast",
  Podcasts: "Podcasts",
};
