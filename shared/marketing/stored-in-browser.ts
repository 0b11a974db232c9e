/**
 * Everything that the app and the public pages store in a browser, in the words of the privacy page.
 * `tests/marketing/stored-data.test.ts` fails where one of them uses a key, database, cache or cookie that is not named
 * here. The key of an entry of one account begins with the text that is given and ends with the account's id.
 */
interface StoredInBrowser {
  keys: readonly string[];
  en: readonly [what: string, howLong: string];
  de: readonly [what: string, howLong: string];
}

const untilSignOut = (en: string, de: string, ...keys: string[]): StoredInBrowser => ({
  keys,
  en: [en, "Until you sign out"],
  de: [de, "Bis zum Abmelden"],
});
const untilCleared = (en: string, de: string, ...keys: string[]): StoredInBrowser => ({
  keys,
  en: [en, "Until you delete the browser’s data for this site"],
  de: [de, "Bis du die Daten dieser Website im Browser löschst"],
});
const untilTabCloses = (en: string, de: string, ...keys: string[]): StoredInBrowser => ({
  keys,
  en: [en, "Until you close the tab or sign out"],
  de: [de, "Bis du den Tab schließt oder dich abmeldest"],
});

export const storedInBrowser: readonly StoredInBrowser[] = [
  {
    keys: ["lamplight_token"],
    en: ["A cookie that keeps you signed in", "Until you sign out, at most two years after your last visit"],
    de: ["Ein Cookie, das dich angemeldet hält", "Bis zum Abmelden, höchstens zwei Jahre nach deinem letzten Besuch"],
  },
  {
    keys: ["lamplight_language"],
    en: [
      "The language you chose: a cookie for the public pages, an entry for the app",
      "The cookie for a year, the entry until you delete the browser’s data for this site",
    ],
    de: [
      "Die gewählte Sprache: ein Cookie für die öffentlichen Seiten, ein Eintrag für die App",
      "Das Cookie ein Jahr, der Eintrag, bis du die Daten dieser Website im Browser löschst",
    ],
  },
  untilCleared(
    "Settings of this device: theme, view and zoom of documents, speed and breaks of podcasts, reading aloud, the screen you had open last",
    "Einstellungen dieses Geräts: Aussehen, Ansicht und Zoom von Dokumenten, Tempo und Pausen von Podcasts, Vorlesen, der zuletzt offene Bildschirm",
    "lamplight_theme",
    "lamplight_pdf_dim",
    "lamplight_pdf_outline",
    "lamplight_pdf_view",
    "lamplight_pdf_places",
    "lamplight_podcast_rate",
    "lamplight_podcast_breaks",
    "lamplight_read_aloud",
    "lamplight_last_route",
  ),
  untilCleared(
    "Notices that were shown or closed, such as a wrong clock, a reminder or a finished generation",
    "Gezeigte oder geschlossene Hinweise, etwa auf eine falsche Uhr, eine Erinnerung oder eine fertige Erzeugung",
    "lamplight_clock_notified",
    "lamplight_reminded",
    "lamplight_runs_put_away",
    "lamplight_welcomed",
  ),
  untilCleared(
    "The code of an invitation that you opened",
    "Der Code einer Einladung, die du geöffnet hast",
    "referral_code",
  ),
  {
    keys: ["lamplight_pending_cards"],
    en: [
      "Cards or a study plan that you keep from a free tool",
      "Until you sign in, which puts them into your account, at most 24 hours",
    ],
    de: [
      "Karten oder ein Lernplan, die du aus einem kostenlosen Werkzeug behältst",
      "Bis du dich anmeldest und sie in dein Konto kommen, höchstens 24 Stunden",
    ],
  },
  {
    keys: ["lamplight_tool_cards_"],
    en: ["Cards that a free tool has just made, so that they survive a reload", "Until you close the tab"],
    de: [
      "Karten, die ein kostenloses Werkzeug gerade gemacht hat, damit sie ein Neuladen überstehen",
      "Bis du den Tab schließt",
    ],
  },
  {
    keys: ["lamplight_references"],
    en: ["Sources of the citation generator", "Until you remove them or delete the browser’s data for this site"],
    de: ["Quellen des Zitier-Generators", "Bis du sie entfernst oder die Daten dieser Website im Browser löschst"],
  },
  untilCleared(
    "The program itself, so that it starts without a network",
    "Das Programm selbst, damit es ohne Netz startet",
    "lamplight-shell-",
  ),
  untilSignOut(
    "Copies of your account, settings and folders, so that the app starts at once",
    "Kopien von Konto, Einstellungen und Ordnern, damit die App sofort startet",
    "lamplight_session",
    "lamplight_preferences",
    "lamplight_preferences_unsent",
    "lamplight_folders",
  ),
  untilSignOut(
    "Copies of your pages, cards, lists and sources for times without a network, drafts, and changes and files that wait to be sent",
    "Kopien von Seiten, Karten, Listen und Quellen für Zeiten ohne Netz, Entwürfe sowie Änderungen und Dateien, die aufs Senden warten",
    "lamplight",
    "lamplight-study",
    "lamplight-drafts",
    "lamplight-uploads",
    "lamplight-lists-",
    "lamplight-videos-",
    "lamplight-podcasts-",
    "lamplight-research-",
  ),
  untilSignOut(
    "Your last searches and edits, the conversation open beside a document, the queue of podcasts and your position in them",
    "Deine letzten Suchen und Änderungen, das Gespräch neben einem Dokument, die Warteliste der Podcasts und deine Stelle darin",
    "recent_searches_",
    "lamplight_last_edits_",
    "lamplight_tutor_",
    "lamplight_podcast_queue_",
    "lamplight_podcast_positions_",
  ),
  untilTabCloses(
    "What you can undo on a page, a question to the tutor that you have not sent, and which research you left while it was running",
    "Was du auf einer Seite rückgängig machen kannst, eine noch nicht gesendete Frage an den Tutor, und welche laufende Recherche du verlassen hast",
    "lamplight-watched-research-",
    "lamplight_undo_",
    "lamplight_question_",
  ),
  {
    keys: ["lamplight_sign_in"],
    en: ["A sign-in with Google or Apple that was begun", "Until it ends or you close the tab"],
    de: ["Eine begonnene Anmeldung mit Google oder Apple", "Bis sie endet oder du den Tab schließt"],
  },
  {
    keys: ["lamplight_post:"],
    en: ["Drafts of blog posts, only for administrators", "Until the post is saved or the draft is discarded"],
    de: [
      "Entwürfe für den Blog, nur bei Administratoren",
      "Bis der Beitrag gespeichert oder der Entwurf verworfen ist",
    ],
  },
];
