import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { SearchResults } from "./search-results.tsx";

export function SearchDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title={t("library.search_all")} closeLabel={t("library.close")} onClose={onClose}>
      <div className="search-dialog">
        <SearchResults onNavigate={onClose} />
      </div>
    </Dialog>
  );
}
