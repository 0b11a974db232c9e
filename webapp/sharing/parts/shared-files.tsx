import { useMemo, type ReactNode } from "react";
import { FileUrlContext } from "#webapp/uploads/file-urls.ts";

interface Props {
  shareId: string;
  children: ReactNode;
}

/** Loads the files of its children through the share, so that visitors see them too. */
export function SharedFiles({ shareId, children }: Props) {
  const toFileUrl = useMemo(() => (fileId: string) => `/v1/shared/${shareId}/files/${fileId}`, [shareId]);
  return <FileUrlContext value={toFileUrl}>{children}</FileUrlContext>;
}
