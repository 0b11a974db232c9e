import * as Tabs from "radix-ui/tabs";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PagedDocument } from "../state.ts";
import { DocumentOutline } from "./document-outline.tsx";
import { Thumbnails } from "./thumbnails.tsx";

/** The panel on the left, with the document's outline and its pages as thumbnails. */
export function DocumentOutlinePanel({ open }: { open: PagedDocument }) {
  const [chosen, setChosen] = useState("outline");
  return (
    <aside className="pdf-left" aria-label={t("pdf.outline_panel_name")}>
      <Tabs.Root className="pdf-tabs" value={chosen} onValueChange={setChosen}>
        <div className="pdf-tabs-head">
          <Tabs.List className="pdf-tab-list" aria-label={t("pdf.outline_panel_name")}>
            <Tabs.Trigger value="outline" className="pdf-tab">
              {t("pdf.tab_outline")}
            </Tabs.Trigger>
            <Tabs.Trigger value="pages" className="pdf-tab">
              {t("pdf.tab_pages")}
            </Tabs.Trigger>
          </Tabs.List>
        </div>
        <Tabs.Content value="outline" className="pdf-tab-content">
          <DocumentOutline open={open} />
        </Tabs.Content>
        <Tabs.Content value="pages" className="pdf-tab-content">
          <Thumbnails open={open} />
        </Tabs.Content>
      </Tabs.Root>
    </aside>
  );
}
