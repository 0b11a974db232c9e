import { accessLog } from "./en/app/access-log.ts";
import { account } from "./en/account/account.ts";
import { accountActions } from "./en/app/account-actions.ts";
import { admin } from "./en/app/admin.ts";
import { auth } from "./en/account/auth.ts";
import { billing } from "./en/account/billing.ts";
import { calendar } from "./en/account/calendar.ts";
import { cardDialogs } from "./en/study/card-dialogs.ts";
import { common } from "./en/app/common.ts";
import { connections } from "./en/account/connections.ts";
import { extensions } from "./en/app/extensions.ts";
import { failures } from "./en/app/failures.ts";
import { figures } from "./en/app/figures.ts";
import { flashcards } from "./en/study/flashcards.ts";
import { home } from "./en/study/home.ts";
import { imports } from "./en/content/imports.ts";
import { labs } from "./en/account/labs.ts";
import { library } from "./en/content/library.ts";
import { lists } from "./en/app/lists.ts";
import { localModels } from "./en/account/local-models.ts";
import { marketing } from "./en/app/marketing.ts";
import { modes } from "./en/study/modes.ts";
import { news } from "./en/app/news.ts";
import { overlays } from "./en/app/overlays.ts";
import { pages } from "./en/content/pages.ts";
import { pdf } from "./en/content/pdf.ts";
import { phrases } from "./en/study/phrases.ts";
import { planning } from "./en/study/planning.ts";
import { podcasts } from "./en/content/podcasts.ts";
import { posts } from "./en/app/posts.ts";
import { quiz } from "./en/study/quiz.ts";
import { rating } from "./en/app/rating.ts";
import { reasons } from "./en/reasons/reasons.ts";
import { reminders } from "./en/account/reminders.ts";
import { research } from "./en/study/research.ts";
import { sharing } from "./en/content/sharing.ts";
import { shell } from "./en/app/shell.ts";
import { sources } from "./en/content/sources.ts";
import { study } from "./en/study/study.ts";
import { tutor } from "./en/study/tutor.ts";
import { unsaved } from "./en/content/unsaved.ts";
import { uploads } from "./en/content/uploads.ts";
import { user } from "./en/account/user.ts";
import { video } from "./en/content/video.ts";
import { website } from "./en/content/website.ts";
import { welcome } from "./en/account/welcome.ts";

/**
 * All messages of the web app, by feature. The build splits them so that each feature's messages are loaded with its
 * code.
 */
export const english = {
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
