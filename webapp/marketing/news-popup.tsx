import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { unseenAnnouncements, type Announcement } from "#shared/marketing/announcements.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { setUser, userAtom } from "#webapp/app/session/session.ts";
import { AnnouncementText } from "./announcement-text.tsx";

/** The maximum number of announcements shown at once. */
const MAX_SHOWN = 3;
/** Clicks within this time are ignored, because they were meant for the content below. */
const MIN_OPEN_MS = 200;

async function markAnnouncementsSeen(seen: readonly Announcement[]): Promise<void> {
  try {
    const { user } = await client.user.markFeatureSeen({ featureIds: seen.map(({ id }) => id) });
    setUser(user);
  } catch (error) {
    // The announcements will be shown again at the next visit.
    logWarning("Failed to mark announcements as seen", error);
  }
}

const isTooSoon = (openedAt: number) => performance.now() - openedAt < MIN_OPEN_MS;

/** Shows the announcements that this account has not seen. */
export function NewsPopup() {
  const user = useAtomValue(userAtom);
  const [isClosed, setClosed] = useState(false);
  const unseen = user?.onboardingComplete ? unseenAnnouncements(user.seenFeatures) : [];
  if (isClosed || unseen.length === 0) return null;
  return <NewsDialog unseen={unseen} onClosed={() => setClosed(true)} />;
}

function NewsDialog({ unseen, onClosed }: { unseen: readonly Announcement[]; onClosed: () => void }) {
  const [openedAt] = useState(() => performance.now());
  const shown = unseen.slice(0, MAX_SHOWN);
  const close = () => {
    if (isTooSoon(openedAt)) return;
    onClosed();
    // Also marks the older announcements, which were not shown, because they would open the dialog again at the next
    // visit.
    void markAnnouncementsSeen(unseen);
  };
  return (
    <Dialog open title={t("overlays.news_title")} onClose={close} closeLabel={t("common.close")}>
      {shown.map((announcement) => (
        <AnnouncementText key={announcement.id} announcement={announcement} heading="h3" />
      ))}
      <p>
        <Link to={screenPath("changelog", {})} onClick={close}>
          {t("overlays.news_all")}
        </Link>
      </p>
    </Dialog>
  );
}
