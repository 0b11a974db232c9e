import { announcements } from "#shared/marketing/announcements.ts";
import { addMessages, t } from "#shared/messages/translate.ts";
import { manners } from "#shared/messages/en/manners.ts";
import { AnnouncementText } from "./announcement-text.tsx";
import "./changelog-screen.css";

addMessages({ manners });

export function ChangelogScreen() {
  return (
    <div className="changelog">
      <h1>{t("manners.news_title")}</h1>
      {announcements.map((announcement) => (
        <AnnouncementText key={announcement.id} announcement={announcement} />
      ))}
    </div>
  );
}
