import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { readServer } from "#extension/app/settings-store.ts";
import { openTab } from "#extension/platform/pages.ts";
import { words } from "#extension/words/words.ts";

const openPlans = async () => openTab(`${await readServer()}${screenPath("pricing", {})}`);

/** Shown after the message about a reached limit, because the panel has no space for the plan dialog. */
export function SeePlans() {
  return <Button onClick={() => void openPlans()}>{words.see_plans}</Button>;
}
