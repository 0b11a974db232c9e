import { useNavigate } from "@tanstack/react-router";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { createPage } from "#webapp/library/content.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";

/** Creates a page and opens it once it is stored on this device. */
export function useCreatePage(): { make: () => void; isMaking: boolean } {
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const create = async () => {
    setCreating(true);
    try {
      const id = await createPage();
      await navigate({ to: screenPath("page", { id }) });
    } catch (error) {
      logWarning("Could not create a page", error);
      notify({ message: t("failures.other"), type: "error" });
    } finally {
      setCreating(false);
    }
  };
  return { make: () => void create(), isMaking: isCreating };
}

export function NewPageButton({ variant }: { variant: "primary" | "secondary" }) {
  const { make: create, isMaking: isCreating } = useCreatePage();
  return (
    <Button variant={variant} pending={isCreating} icon={<FilePlus2 aria-hidden />} onClick={create}>
      {t("shell.new_page")}
    </Button>
  );
}
