import type { Announcement } from "#shared/marketing/announcements.ts";
import "./announcement-text.css";

export function AnnouncementText({ announcement }: { announcement: Announcement }) {
  const { title, date, description } = announcement;
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle: "long", timeZone: "UTC" });
  return (
    <article className="announcement">
      <h3>{title}</h3>
      <time dateTime={date}>{day}</time>
      {description.map((block) =>
        block.kind === "paragraph" ? (
          <p key={block.text}>{block.text}</p>
        ) : (
          <ul key={block.items.join()}>
            {block.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        ),
      )}
    </article>
  );
}
