import { announcements } from "#shared/marketing/announcements.ts";
import { t } from "#shared/messages/translate.ts";
import { AnnouncementText } from "./announcement-text.tsx";
import "./changelog-screen.css";

export function ChangelogScreen() {
  return (
    <div className="changelog">
      <h1>{t("overlays.news_title")}</h1>
      {announcements.map((announcement) => (
        <AnnouncementText key={announcement.id} announcement={announcement} heading="h2" />
      ))}
    </div>
  );
}
