import { account } from "./de/account.ts";
import { answers as answerPhrases } from "./de/answers.ts";
import { auth } from "./de/auth.ts";
import { common } from "./de/common.ts";
import { connections } from "./de/connections.ts";
import { extensions } from "./de/extensions.ts";
import { failures } from "./de/failures.ts";
import { flashcards } from "./de/flashcards.ts";
import { home } from "./de/home.ts";
import { imports } from "./de/imports.ts";
import { knowledge } from "./de/knowledge.ts";
import { labs } from "./de/labs.ts";
import { library } from "./de/library.ts";
import { making } from "./de/making.ts";
import { manners } from "./de/manners.ts";
import { marketing } from "./de/marketing.ts";
import { modes } from "./de/modes.ts";
import { news } from "./de/news.ts";
import { pages } from "./de/pages.ts";
import { pdf } from "./de/pdf.ts";
import { planning } from "./de/planning.ts";
import { quiz } from "./de/quiz.ts";
import { reasons } from "./de/reasons.ts";
import { reminders } from "./de/reminders.ts";
import { sharing } from "./de/sharing.ts";
import { shell } from "./de/shell.ts";
import { study } from "./de/study.ts";
import { tutor } from "./de/tutor.ts";
import { unsaved } from "./de/unsaved.ts";
import { uploads } from "./de/uploads.ts";
import { user } from "./de/user.ts";
import { video } from "./de/video.ts";
import { welcome } from "./de/welcome.ts";

/** Every word of the web app in German: one file, fetched by who reads it and by nobody else. */
export const table = {
  account,
  auth,
  common,
  connections,
  extensions,
  failures,
  flashcards,
  home,
  imports,
  knowledge,
  labs,
  library,
  making,
  manners,
  marketing,
  modes,
  news,
  pages,
  pdf,
  planning,
  quiz,
  reasons,
  reminders,
  sharing,
  shell,
  study,
  tutor,
  unsaved,
  uploads,
  user,
  video,
  welcome,
} as const;

/** What the tutor says in its answers, by its English words. */
export const answers: Readonly<Record<string, string>> = answerPhrases;

/** Titles of screens, by those of the table of screens. */
export const titles: Readonly<Record<string, string>> = {
  "Lamplight: read it once, keep it": "Lamplight: einmal lesen, behalten",
  Home: "Start",
  Tutor: "Tutor",
  Search: "Suche",
  Billing: "Abrechnung",
  Pricing: "Preise",
  "Sign in": "Anmelden",
  "Make an account": "Konto anlegen",
  "Sign out": "Abmelden",
  Settings: "Einstellungen",
  Assistant: "Assistent",
  Labs: "Labor",
  Canvas: "Leinwand",
  Connections: "Verbindungen",
  "What is new": "Was neu ist",
  Sources: "Quellen",
  Welcome: "Willkommen",
  Explore: "Entdecken",
  "Search what others share": "Durchsuchen, was andere teilen",
  "Shared with you": "Mit dir geteilt",
  "Forgotten password": "Passwort vergessen",
  "New password": "Neues Passwort",
  "Confirm your address": "Adresse bestätigen",
  "Signing in": "Anmeldung",
  "Duplicate a page": "Eine Seite kopieren",
  "Duplicate a PDF": "Ein PDF kopieren",
  "All content": "Alle Inhalte",
  Folder: "Ordner",
  Page: "Seite",
  Flashcards: "Karteikarten",
  Study: "Lernen",
  "Print flashcards": "Karteikarten drucken",
  PDF: "PDF",
  Video: "Video",
};
