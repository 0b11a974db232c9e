import { Camera, HardDriveUpload, Link, Upload } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/button.tsx";
import { Menu } from "#shared/ui/menu.tsx";
import type { MenuItem } from "#shared/ui/menu-items.ts";
import { goTo } from "#webapp/kit/navigation.ts";
import { addUploads } from "#webapp/kit/uploads.ts";
import { LinkDialog } from "./link-dialog.tsx";
import { hasCamera, pickFiles } from "./pick-files.ts";

interface Ways {
  onFiles: (files: readonly File[]) => void;
  onLink: () => void;
}

/** Every way in which a file can come from outside the screen. */
export function uploadWays({ onFiles, onLink }: Ways): MenuItem[] {
  const photo = {
    label: t("uploads.from_camera"),
    icon: <Camera aria-hidden />,
    onSelect: () => pickFiles({ take: onFiles, isPhoto: true }),
  };
  return [
    {
      label: t("uploads.from_device"),
      icon: <HardDriveUpload aria-hidden />,
      onSelect: () => pickFiles({ take: onFiles }),
    },
    ...(hasCamera() ? [photo] : []),
    { label: t("uploads.from_link"), icon: <Link aria-hidden />, onSelect: onLink },
  ];
}

/** Files that belong to no page yet get one of their own. */
export const uploadLoose = (files: readonly File[]) => void addUploads(files, { pageId: null });

export function UploadMenu({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  const [isLinking, setLinking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <Button variant={variant} icon={<Upload aria-hidden />}>
            {t("uploads.add")}
          </Button>
        }
        groups={[uploadWays({ onFiles: uploadLoose, onLink: () => setLinking(true) })]}
      />
      {isLinking && (
        <LinkDialog
          onClose={() => setLinking(false)}
          onFiles={uploadLoose}
          pageId={null}
          onVideo={({ _id }) => goTo(screenPath("video", { slug: _id }))}
        />
      )}
    </>
  );
}
