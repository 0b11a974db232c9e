import { Camera, Gauge, HardDriveUpload, Link, Upload } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { shouldOfferUpgrade, isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { t, translateReason } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import "../add-upload-reasons.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { addUploads } from "../uploads.ts";
import { loadUsage, todaysUsage, usageAtom } from "#webapp/user/usage.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { hasCamera, pickFiles } from "./pick-files.ts";

const LinkDialog = lazy(async () => ({ default: (await import("./link-dialog.tsx")).LinkDialog }));

interface UploadHandlers {
  onFiles: (files: readonly File[]) => void;
  onLink: () => void;
}

/** Menu items for all ways to add a file. */
export function createUploadMenuItems({ onFiles, onLink }: UploadHandlers): MenuItem[] {
  const photo = {
    label: t("uploads.from_camera"),
    icon: <Camera aria-hidden />,
    onSelect: () => pickFiles({ onFiles: onFiles, isPhoto: true }),
  };
  return [
    {
      label: t("uploads.from_device"),
      icon: <HardDriveUpload aria-hidden />,
      onSelect: () => pickFiles({ onFiles: onFiles }),
    },
    ...(hasCamera() ? [photo] : []),
    { label: t("uploads.from_link"), icon: <Link aria-hidden />, onSelect: onLink },
  ];
}

/** Uploads files without a page, so that each file gets a page of its own. */
export const uploadToNewPages = (files: readonly File[]) => void addUploads(files, { pageId: null });

/** The button's label, and whether today's uploads are used up, so that the menu offers an upgrade. */
function useUploadQuota(): { label: string; isUsedUp: boolean } {
  const plan = useAtomValue(userAtom)?.plan;
  const usage = useAtomValue(usageAtom);
  const now = useNow();
  const isCounted = plan !== undefined && !isUnlimited("fileUploads", limitsOf(plan, now).fileUploads);
  useEffect(() => {
    if (isCounted) void loadUsage();
  }, [isCounted]);
  const today = todaysUsage(usage, now);
  const isUsedUp = shouldOfferUpgrade(plan, today, now);
  const label = t("uploads.add");
  return {
    label: isUsedUp ? translateReason({ reason: "label_limit_reached", params: { label } }) : label,
    isUsedUp,
  };
}

const createPlansItem = (): MenuItem => ({
  label: t("uploads.plans"),
  icon: <Gauge aria-hidden />,
  onSelect: () => openPlanModal(null, "fileUploads"),
});

export function UploadMenu({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  const [isLinking, setLinking] = useState(false);
  const { label, isUsedUp } = useUploadQuota();
  const menuItems = createUploadMenuItems({ onFiles: uploadToNewPages, onLink: () => setLinking(true) });
  return (
    <>
      <Menu
        trigger={
          <Button variant={variant} icon={<Upload aria-hidden />}>
            {label}
          </Button>
        }
        groups={isUsedUp ? [menuItems, [createPlansItem()]] : [menuItems]}
      />
      {isLinking && (
        <Suspense>
          <LinkDialog
            onClose={() => setLinking(false)}
            onFiles={uploadToNewPages}
            pageId={null}
            onVideo={({ _id }) => goTo(screenPath("video", { slug: _id }))}
          />
        </Suspense>
      )}
    </>
  );
}
