import { useAtom } from "jotai/react";
import { lazy, Suspense } from "react";
import { occlusionPictureAtom } from "./occlusion-picture.ts";

const ImageOcclusionDialog = lazy(() =>
  import("./parts/image-occlusion-dialog.tsx").then((module) => ({ default: module.ImageOcclusionDialog })),
);

/** Loads the image-occlusion dialog on demand. Mounted on every screen that shows pictures. */
export function ImageOcclusionHost() {
  const [picture, setPicture] = useAtom(occlusionPictureAtom);
  if (!picture) return null;
  return (
    <Suspense fallback={null}>
      <ImageOcclusionDialog picture={picture} onClose={() => setPicture(null)} />
    </Suspense>
  );
}
