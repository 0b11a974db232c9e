import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#extension/app/channel.ts";
import { readServer, readSetting, removeSetting, writeSetting } from "#extension/app/settings-store.ts";
import { parseLanguageTags } from "#extension/words/caption-languages.ts";
import { checkServer, readServerAddress } from "#extension/app/server-address.ts";
import { words } from "#extension/words/words.ts";
import { listKeys } from "#extension/platform/keys.ts";
import "./options-screen.css";

function ServerSetting() {
  const [address, setAddress] = useState("");
  const [status, setStatus] = useState<{ problem?: string; isSaved?: boolean; isChecking?: boolean }>({});
  useEffect(() => void readServer().then(setAddress), []);

  const save = async () => {
    const parsed = readServerAddress(address);
    if ("problem" in parsed) return setStatus({ problem: parsed.problem });
    setStatus({ isChecking: true });
    const problem = await checkServer(parsed.origin);
    if (problem !== undefined) return setStatus({ problem });
    // Never send a token to a server that did not issue it.
    if ((await readServer()) !== parsed.origin) await removeSetting("account");
    await writeSetting("server", parsed.origin);
    notify("account");
    setAddress(parsed.origin);
    return setStatus({ isSaved: true });
  };

  return (
    <form
      className="options-server"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={words.server_label}
        hint={words.server_hint}
        error={status.problem}
        value={address}
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setAddress(event.target.value);
          setStatus({});
        }}
      />
      <Button type="submit" variant="primary" pending={status.isChecking === true}>
        {status.isChecking === true ? words.server_checking : words.server_check}
      </Button>
      <p role="status" className="options-status">
        {status.isSaved === true ? words.server_saved : ""}
      </p>
    </form>
  );
}

/** Preferred caption languages for videos. */
function CaptionLanguages() {
  const [text, setText] = useState("");
  const [status, setStatus] = useState<"bad" | "saved">();
  useEffect(() => void readSetting("captionLanguages").then((stored) => setText(stored ?? "")), []);
  const save = async () => {
    const tags = parseLanguageTags(text);
    if (tags.length === 0 && text.trim() !== "") return setStatus("bad");
    await writeSetting("captionLanguages", tags.join(", "));
    setText(tags.join(", "));
    return setStatus("saved");
  };
  return (
    <form
      className="options-server"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={words.captions_label}
        hint={words.captions_hint}
        error={status === "bad" ? words.captions_bad : undefined}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value);
          setStatus(undefined);
        }}
      />
      <Button type="submit">{words.captions_save}</Button>
      <p role="status" className="options-status">
        {status === "saved" ? words.captions_saved : ""}
      </p>
    </form>
  );
}

function Keys() {
  const [keys, setKeys] = useState<Awaited<ReturnType<typeof listKeys>>>([]);
  useEffect(() => void listKeys().then(setKeys), []);
  return (
    <dl className="options-keys">
      {keys.map(({ name, keys: shortcut }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shortcut === "" ? words.keys_none : <Kbd>{shortcut}</Kbd>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The extension's settings, in their own tab. */
export function OptionsScreen({ account }: { account: ReactNode }) {
  return (
    <main className="options">
      <h1>{words.settings}</h1>
      <section aria-labelledby="options-server">
        <h2 id="options-server">{words.server_title}</h2>
        <ServerSetting />
      </section>
      <section aria-labelledby="options-account">
        <h2 id="options-account">{words.account_title}</h2>
        {account}
      </section>
      <section aria-labelledby="options-captions">
        <h2 id="options-captions">{words.captions_title}</h2>
        <CaptionLanguages />
      </section>
      <section aria-labelledby="options-keys">
        <h2 id="options-keys">{words.keys_title}</h2>
        <p className="options-text">{words.keys_text}</p>
        <Keys />
      </section>
    </main>
  );
}
