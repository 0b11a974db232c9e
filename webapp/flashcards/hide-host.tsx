import { useAtom } from "jotai/react";
import { lazy, Suspense } from "react";
import { hidePartsAtom } from "./hide-parts.ts";

const HideDialog = lazy(() => import("./parts/hide-dialog.tsx").then((module) => ({ default: module.HideDialog })));

/** Stands on every screen that shows pictures: the dialog is fetched when one is to be learnt. */
export function HideHost() {
  const [picture, setPicture] = useAtom(hidePartsAtom);
  if (!picture) return null;
  return (
    <Suspense fallback={null}>
      <HideDialog picture={picture} onClose={() => setPicture(null)} />
    </Suspense>
  );
}
