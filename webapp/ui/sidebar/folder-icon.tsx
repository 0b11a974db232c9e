import { Folder as FolderGlyph } from "lucide-react";
import type { FolderColor } from "#shared/library/schema.ts";
import "./folder-icon.css";

export function FolderIcon({ color }: { color: FolderColor }) {
  return <FolderGlyph aria-hidden className="folder-icon" data-color={color} />;
}
