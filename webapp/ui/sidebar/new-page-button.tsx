import { FilePlus2 } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { createPage } from "#webapp/library/content.ts";
import { useCreateAndOpen } from "./create-and-open.ts";

export const useCreatePage = () => useCreateAndOpen(createPage, (id) => screenPath("page", { id }));

export function NewPageButton({ variant }: { variant: "primary" | "secondary" }) {
  const { create, isCreating } = useCreatePage();
  return (
    <Button variant={variant} pending={isCreating} icon={<FilePlus2 aria-hidden />} onClick={create}>
      {t("shell.new_page")}
    </Button>
  );
}
