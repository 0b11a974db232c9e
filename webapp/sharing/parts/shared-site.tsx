import { t } from "#shared/messages/translate.ts";
import { useTitle } from "#webapp/app/use-title.ts";

/**
 * A published website in a sandboxed frame without an origin, so that it can access neither the app nor the network.
 */
export function SharedSite({ title, siteUrl }: { title: string; siteUrl: string }) {
  const name = title || t("sharing.untitled");
  useTitle(name);
  return (
    <>
      <h1 className="visually-hidden" dir="auto">
        {name}
      </h1>
      <p className="shared-site-note">{t("sharing.site_note")}</p>
      <iframe
        className="shared-site"
        title={name}
        src={`${siteUrl}?frame`}
        sandbox="allow-scripts allow-forms allow-modals allow-downloads"
        referrerPolicy="no-referrer"
      />
    </>
  );
}
