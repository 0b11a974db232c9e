import { auth } from "#shared/auth/contract.ts";
import { billing } from "#shared/billing/contract.ts";
import { capture } from "#shared/capture/contract.ts";
import { connections } from "#shared/connections/contract.ts";
import { feedback } from "#shared/feedback/contract.ts";
import { flashcards } from "#shared/flashcards/contract.ts";
import { library } from "#shared/library/contract.ts";
import { pages } from "#shared/pages/contract.ts";
import { pdf } from "#shared/pdf/contract.ts";
import { podcasts } from "#shared/podcasts/contract.ts";
import { research } from "#shared/research/contract.ts";
import { sharing } from "#shared/sharing/contract.ts";
import { quiz } from "#shared/quiz/contract.ts";
import { study } from "#shared/study/contract.ts";
import { sync } from "#shared/sync/contract.ts";
import { tutor } from "#shared/tutor/contract.ts";
import { uploads } from "#shared/uploads/contract.ts";
import { user } from "#shared/user/contract.ts";
import { website } from "#shared/website/contract.ts";
import { video } from "#shared/video/contract.ts";

/** The endpoints of the app; administration and the public pages load theirs separately. */
export const memberTable = {
  auth,
  user,
  billing,
  pages,
  uploads,
  flashcards,
  study,
  quiz,
  pdf,
  video,
  podcasts,
  tutor,
  research,
  library,
  sync,
  connections,
  capture,
  feedback,
  sharing,
  website,
};
