import { accounts } from "./accounts.ts";
import { bounds } from "./bounds.ts";
import { generatedCards } from "./generated-cards.ts";
import { podcastMaking } from "./podcast-making.ts";
import { podcasts } from "./podcasts.ts";
import type { Protection } from "./protection.ts";
import { research } from "./research.ts";
import { researchServices } from "./research-services.ts";
import { services } from "./services.ts";
import { storage } from "./storage.ts";
import { sync } from "./sync.ts";
import { website } from "./website.ts";

/** Every protection that `take-away.ts` can remove. */
export const allProtections: readonly Protection[] = [
  ...accounts,
  ...bounds,
  ...storage,
  ...sync,
  ...services,
  ...research,
  ...researchServices,
  ...generatedCards,
  ...podcasts,
  ...podcastMaking,
  ...website,
];
