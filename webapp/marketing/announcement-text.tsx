import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { Announcement } from "#shared/marketing/announcements.ts";
import "./announcement-text.css";

interface Props {
  announcement: Announcement;
  /** The heading level below that of the screen or dialog. */
  heading: "h2" | "h3";
}

export function AnnouncementText({ announcement, heading: Heading }: Props) {
  const { title, date, description } = announcement;
  const dateText = new Date(`${date}T00:00:00Z`).toLocaleDateString(documentLanguage(), {
    dateStyle: "long",
    timeZone: "UTC",
  });
  return (
    <article className="announcement">
      <Heading>{t(title)}</Heading>
      <time dateTime={date}>{dateText}</time>
      {description.map((block) =>
        block.kind === "paragraph" ? (
          <p key={block.text}>{t(block.text)}</p>
        ) : (
          <ul key={block.items.join()}>
            {block.items.map((item) => (
              <li key={item}>{t(item)}</li>
            ))}
          </ul>
        ),
      )}
    </article>
  );
}
