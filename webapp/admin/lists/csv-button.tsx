import { Download } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";

interface Props {
  /** File name without the extension. */
  name: string;
  read: () => AsyncIterable<string>;
}

/** Downloads a whole list, not only the pages that are shown. */
export function CsvButton({ name, read }: Props) {
  const [isPending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      const chunks: string[] = [];
      for await (const chunk of read()) chunks.push(chunk);
      saveFile(new Blob(chunks, { type: "text/csv" }), `${name}.csv`);
    } catch {
      notify({ type: "error", message: t("figures.csv_failed") });
    }
    setPending(false);
  };
  return (
    <Button variant="quiet" icon={<Download aria-hidden />} pending={isPending} onClick={() => void download()}>
      {t("figures.csv")}
    </Button>
  );
}
