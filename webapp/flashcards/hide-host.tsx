import { useAtom } from "jotai/react";
import { lazy, Suspense } from "react";
import { hidePartsAtom } from "./hide-parts.ts";

const HideDialog = lazy(() => import("./parts/hide-dialog.tsx").then((module) => ({ default: module.HideDialog })));

/** Mounted on every screen that shows pictures; loads the image-occlusion dialog on demand. */
export function HideHost() {
  const [picture, setPicture] = useAtom(hidePartsAtom);
  if (!picture) return null;
  return (
    <Suspense fallback={null}>
      <HideDialog picture={picture} onClose={() => setPicture(null)} />
    </Suspense>
  );
}
