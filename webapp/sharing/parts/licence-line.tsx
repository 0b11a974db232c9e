import { t } from "#shared/messages/translate.ts";
import type { SharedItem } from "#shared/sharing/schema.ts";
import { licenceUrl, licenceNames } from "../share-labels.ts";

/** The licence and attribution of a shared item; nothing if its owner stated neither. */
export function LicenceLine({ shared: { licence, attribution } }: { shared: SharedItem }) {
  if (licence === "none" && attribution === "") return null;
  return (
    <footer className="shared-licence">
      {attribution !== "" && <p dir="auto">{attribution}</p>}
      {licence !== "none" && (
        <p>
          <a href={licenceUrl(licence)} target="_blank" rel="license noopener">
            {t("sharing.licensed", { licence: licenceNames[licence] })}
          </a>
        </p>
      )}
    </footer>
  );
}
