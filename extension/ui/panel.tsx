import { Settings } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { readServer } from "#extension/kit/disk.ts";
import { checkServer } from "#extension/kit/server.ts";
import { fill, words } from "#extension/kit/words.ts";
import { openOptions } from "#extension/platform/pages.ts";
import "./panel.css";

/** What stands beside the page. */
export function Panel() {
  const [server, setServer] = useState<{ origin: string; problem: string | undefined }>();
  useEffect(() => {
    void readServer().then(async (origin) => setServer({ origin, problem: await checkServer(origin) }));
  }, []);
  return (
    <div className="panel">
      <header className="panel-head">
        <h1>{words.panel_title}</h1>
        <IconButton label={words.settings} icon={<Settings aria-hidden />} onClick={() => void openOptions()} />
      </header>
      <main className="panel-body">
        {server && (
          <p className="panel-note" role="status">
            {fill(words.panel_server, { server: server.origin })}:{" "}
            {server.problem === undefined ? words.panel_answers : words.panel_silent}
          </p>
        )}
      </main>
    </div>
  );
}
