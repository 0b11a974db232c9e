import { account } from "./en/account.ts";
import { auth } from "./en/auth.ts";
import { common } from "./en/common.ts";
import { connections } from "./en/connections.ts";
import { extensions } from "./en/extensions.ts";
import { failures } from "./en/failures.ts";
import { flashcards } from "./en/flashcards.ts";
import { home } from "./en/home.ts";
import { imports } from "./en/imports.ts";
import { knowledge } from "./en/knowledge.ts";
import { labs } from "./en/labs.ts";
import { library } from "./en/library.ts";
import { making } from "./en/making.ts";
import { manners } from "./en/manners.ts";
import { marketing } from "./en/marketing.ts";
import { modes } from "./en/modes.ts";
import { news } from "./en/news.ts";
import { pages } from "./en/pages.ts";
import { pdf } from "./en/pdf.ts";
import { planning } from "./en/planning.ts";
import { quiz } from "./en/quiz.ts";
import { reasons } from "./en/reasons.ts";
import { reminders } from "./en/reminders.ts";
import { sharing } from "./en/sharing.ts";
import { shell } from "./en/shell.ts";
import { study } from "./en/study.ts";
import { tutor } from "./en/tutor.ts";
import { unsaved } from "./en/unsaved.ts";
import { uploads } from "./en/uploads.ts";
import { user } from "./en/user.ts";
import { video } from "./en/video.ts";
import { welcome } from "./en/welcome.ts";

/** Every word of the web app, by feature. What is built takes each feature's words with the code that says them. */
export const english = {
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
