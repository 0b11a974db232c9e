import { useNavigate } from "@tanstack/react-router";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { createPage } from "#webapp/library/content.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** Creates a page and opens it once it is stored on this device. */
export function useNewPage(): { make: () => void; isMaking: boolean } {
  const navigate = useNavigate();
  const [isMaking, setMaking] = useState(false);
  const make = async () => {
    setMaking(true);
    try {
      const id = await createPage();
      await navigate({ to: screenPath("page", { id }) });
    } catch (error) {
      logTrouble("Could not create a page", error);
      notify({ message: t("failures.other"), type: "error" });
    } finally {
      setMaking(false);
    }
  };
  return { make: () => void make(), isMaking };
}

export function NewPageButton({ variant }: { variant: "primary" | "secondary" }) {
  const { make, isMaking } = useNewPage();
  return (
    <Button variant={variant} pending={isMaking} icon={<FilePlus2 aria-hidden />} onClick={make}>
      {t("shell.new_page")}
    </Button>
  );
}
