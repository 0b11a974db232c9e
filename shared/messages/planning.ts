import { planning } from "./en/planning.ts";
import { addMessages, t } from "./translate.ts";

// Whoever shows these words takes `t` from here: the first screen does without them.
addMessages({ planning });

export { t };
