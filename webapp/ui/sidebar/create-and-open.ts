import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";

type Path = ReturnType<typeof screenPath>;

/** Creates an item, such as a page, and opens it once it is stored on this device. A failure shows a notice. */
export async function createAndOpen(
  create: () => Promise<string>,
  open: (id: string) => void | Promise<void>,
): Promise<void> {
  try {
    await open(await create());
  } catch (error) {
    logWarning("Could not create the item", error);
    notify({ message: t("failures.other"), type: "error" });
  }
}

/** `createAndOpen` for a button, which is pending until the item is open. */
export function useCreateAndOpen(create: () => Promise<string>, toPath: (id: string) => Path) {
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const run = async () => {
    setCreating(true);
    await createAndOpen(create, (id) => navigate({ to: toPath(id) }));
    setCreating(false);
  };
  return { create: () => void run(), isCreating };
}
