import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { ConnectedExtension } from "#shared/connections/extension-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import {
  answerPairingRequest,
  disconnectExtension,
  extensionsAtom,
  findPairingRequest,
  loadExtensions,
} from "../extensions.ts";

/** Asks the student to allow or refuse an extension, whose name and code are shown. */
function ConfirmPairing({
  code,
  name,
  onFinished,
}: {
  code: string;
  name: string;
  onFinished: (statusText: string) => void;
}) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const answer = async (isAllowed: boolean) => {
    setBusy(true);
    const errorText = await answerPairingRequest(code, isAllowed);
    setBusy(false);
    if (errorText !== undefined) return setProblem(errorText);
    return onFinished(isAllowed ? t("extensions.connected") : t("extensions.refused"));
  };
  return (
    <div className="connection-ask" role="group" aria-label={t("extensions.request")}>
      <p>{t("extensions.request_text", { name })}</p>
      <p className="connection-code">{code}</p>
      <p className="connection-about">{t("extensions.compare")}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div className="connection-answers">
        <Button variant="primary" pending={isBusy} onClick={() => void answer(true)}>
          {t("extensions.allow")}
        </Button>
        <Button variant="quiet" pending={isBusy} onClick={() => void answer(false)}>
          {t("extensions.deny")}
        </Button>
      </div>
    </div>
  );
}

function EnterCode({ onFound, initial }: { onFound: (code: string, name: string) => void; initial: string }) {
  const [code, setCode] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const find = async () => {
    const found = await findPairingRequest(code);
    if ("problem" in found) setProblem(found.problem);
    else onFound(code.toUpperCase(), found.name);
  };
  return (
    <form
      className="connection-enter"
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <TextField
        label={t("extensions.code")}
        hint={t("extensions.code_hint")}
        error={problem}
        value={code}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setCode(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit">{t("extensions.continue")}</Button>
    </form>
  );
}

function Row({ extension }: { extension: ConnectedExtension }) {
  const now = useNow();
  const [isDisconnecting, setDisconnecting] = useState(false);
  const disconnect = async () => {
    setDisconnecting(true);
    await disconnectExtension(extension);
    setDisconnecting(false);
  };
  return (
    <li className="connection-row">
      <p>{t("extensions.since", { name: extension.name, when: formatRelativeDate(extension.createdAt, now) })}</p>
      <Button
        variant="quiet"
        pending={isDisconnecting}
        aria-label={t("extensions.disconnect_of", { name: extension.name })}
        onClick={() => void disconnect()}
      >
        {t("extensions.disconnect")}
      </Button>
    </li>
  );
}

/** The account's browser extensions. `initialCode` is the code with which an extension opened this screen, or "". */
export function Extensions({ initialCode }: { initialCode: string }) {
  const accountId = useAtomValue(accountIdAtom);
  const [request, setRequest] = useState<{ code: string; name: string }>();
  const [statusText, setStatusText] = useState("");
  useEffect(() => {
    if (accountId === undefined) return;
    const find = async () => {
      const found = await findPairingRequest(initialCode);
      if ("name" in found) setRequest({ code: initialCode, name: found.name });
    };
    void loadExtensions();
    if (initialCode !== "") void find();
  }, [accountId, initialCode]);
  return (
    <section className="connection" aria-labelledby="extension">
      <h2 id="extension">{t("extensions.title")}</h2>
      <p className="connection-about">{t("extensions.about")}</p>
      {request ? (
        <ConfirmPairing
          {...request}
          onFinished={(outcome) => {
            setRequest(undefined);
            setStatusText(outcome);
          }}
        />
      ) : (
        <EnterCode
          key={initialCode}
          initial={statusText === "" ? initialCode : ""}
          onFound={(code, name) => setRequest({ code, name })}
        />
      )}
      <p role="status">{statusText}</p>
      <ConnectedList />
    </section>
  );
}

function ConnectedList() {
  const connected = useAtomValue(extensionsAtom);
  if (connected.state === "loading") return <Skeleton label={t("common.loading")} lines={[60]} />;
  if (connected.state !== "ready")
    return (
      <ListLoadError
        className="connection-row"
        message={t("extensions.list_failed")}
        onRetry={() => void loadExtensions()}
      />
    );
  if (connected.extensions.length === 0) return null;
  return (
    <ul role="list">
      {connected.extensions.map((extension) => (
        <Row key={extension._id} extension={extension} />
      ))}
    </ul>
  );
}
