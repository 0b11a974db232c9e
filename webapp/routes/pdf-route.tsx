import { useSearch } from "@tanstack/react-router";
import { useScreenParams } from "#webapp/kit/screen-params.ts";
import { PdfScreen } from "#webapp/pdf/pdf-screen.tsx";

/** What other features add to a document, its panels and what can be done with a selection, meets it here. */
export function PdfRoute() {
  const { slug } = useScreenParams("pdf");
  const search: Record<string, unknown> = useSearch({ strict: false });
  const page = Number(search["page"]);
  const quote = search["quote"];
  return (
    <PdfScreen
      componentId={slug.split("/").at(-1) ?? slug}
      page={Number.isInteger(page) && page >= 1 ? page : undefined}
      quote={typeof quote === "string" || typeof quote === "number" ? String(quote) : undefined}
    />
  );
}
