import { useCallback, useEffect, useRef, useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import "./local-models.css";

type Found = Awaited<ReturnType<typeof client.tutor.lookForModels>>;
type Tested = Awaited<ReturnType<typeof client.tutor.testModel>>;

/** The engine that needs no model, for comparison. */
const BUILTIN = "lamplight-builtin";
const OLLAMA_DOWNLOAD = "https://ollama.com/download";
const SHOWN_CARDS = 4;
const GIBIBYTE = 2 ** 30;
/** The unit in which Ollama gives the size of downloads. */
const GIGABYTE = 1e9;

/**
 * Helps an administrator to set up a model: shows what to install, and compares its cards with those made without one.
 */
export function LocalModels() {
  const load = useCallback(() => client.tutor.lookForModels({}), []);
  const { answer, retry } = useAsyncValue(load);
  const found = answer.state === "ready" ? answer.value : undefined;
  const [isTesting, setTesting] = useState(false);
  return (
    <div className="local-models">
      <p>{t("localModels.intro")}</p>
      <div role="status">
        {answer.state === "loading" && <Skeleton label={t("localModels.looking")} />}
        {answer.state === "failed" && <p>{t("localModels.look_failed")}</p>}
        {found && <p className="local-models-state">{t(`localModels.${found.server}`, { address: found.address })}</p>}
      </div>
      {found && (found.server === "absent" || found.server === "empty") && <Installation found={found} />}
      {found?.server === "found" && <ModelTests models={found.models} isTesting={isTesting} onTesting={setTesting} />}
      <Button className="settings-start" pending={answer.state === "loading"} disabled={isTesting} onClick={retry}>
        {t("localModels.look_again")}
      </Button>
    </div>
  );
}

const formatGigabytes = (count: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat(documentLanguage(), { style: "unit", unit: "gigabyte", maximumFractionDigits }).format(count);

function Installation({ found: { server, memoryBytes, best, faster } }: { found: Found }) {
  const proposals = [
    { label: t("localModels.best"), model: best },
    { label: t("localModels.faster"), model: faster },
  ];
  return (
    <ol className="local-models-steps">
      {server === "absent" && (
        <li>
          {t("localModels.install")}{" "}
          <a href={OLLAMA_DOWNLOAD} target="_blank" rel="noreferrer">
            ollama.com/download
          </a>
        </li>
      )}
      <li>
        {t("localModels.pull", { memory: formatGigabytes(memoryBytes / GIBIBYTE, 0) })}
        <dl className="local-models-proposals">
          {proposals.map(({ label, model }) => (
            <div key={model.name}>
              <dt>{label}</dt>
              <dd>
                <code translate="no">ollama pull {model.name}</code>
                <span className="settings-note">
                  {t("localModels.download", { size: formatGigabytes(model.sizeBytes / GIGABYTE, 1) })}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </li>
    </ol>
  );
}

type Outcome = { state: "testing" } | { state: "failed" } | { state: "done"; test: Tested };

interface TestsProps extends Pick<Found, "models"> {
  isTesting: boolean;
  onTesting: (isTesting: boolean) => void;
}

function ModelTests({ models, isTesting, onTesting }: TestsProps) {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome | undefined>>>({});
  const stopped = useRef<AbortController | undefined>(undefined);
  // Aborts the test when the screen is left, so that it does not keep the model busy.
  useEffect(() => () => stopped.current?.abort(), []);
  const tested = [{ id: BUILTIN, name: t("localModels.builtin") }, ...models];
  const testAll = async () => {
    const abort = new AbortController();
    stopped.current = abort;
    setOutcomes({});
    onTesting(true);
    // Tests one model after the other, because two models may not fit into memory.
    for (const { id } of tested) {
      if (abort.signal.aborted) break;
      const set = (outcome: Outcome | undefined) => setOutcomes((all) => ({ ...all, [id]: outcome }));
      set({ state: "testing" });
      try {
        set({ state: "done", test: await client.tutor.testModel({ modelId: id }, { signal: abort.signal }) });
      } catch {
        // A stopped test has no result for its model.
        set(abort.signal.aborted ? undefined : { state: "failed" });
      }
    }
    onTesting(false);
  };
  return (
    <>
      <p className="settings-note">{t("localModels.test_text")}</p>
      <div className="local-models-actions">
        <Button variant="primary" pending={isTesting} onClick={() => void testAll()}>
          {t("localModels.test")}
        </Button>
        {isTesting && <Button onClick={() => stopped.current?.abort()}>{t("localModels.stop")}</Button>}
      </div>
      <ul role="list" className="local-models-results" aria-live="polite">
        {tested.map(({ id, name }) => {
          const outcome = outcomes[id];
          return (
            <li key={id}>
              <h3>{name}</h3>
              {outcome && <Result name={name} outcome={outcome} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const formatSeconds = (durationMs: number) =>
  new Intl.NumberFormat(documentLanguage(), { style: "unit", unit: "second", maximumFractionDigits: 1 }).format(
    Math.max(0.1, durationMs / 1000),
  );

function Result({ name, outcome }: { name: string; outcome: Outcome }) {
  if (outcome.state === "testing") return <p className="settings-note">{t("localModels.testing", { name })}</p>;
  if (outcome.state === "failed" || outcome.test.cards.length === 0)
    return <p className="settings-note">{t("localModels.test_failed", { name })}</p>;
  const { cards, rejected, durationMs } = outcome.test;
  const figures = { cards: t("localModels.cards", { count: cards.length }), duration: formatSeconds(durationMs) };
  return (
    <>
      <p className="settings-note">
        {rejected > 0 ? t("localModels.result_rejected", { ...figures, rejected }) : t("localModels.result", figures)}
      </p>
      <dl className="local-models-cards" lang="en">
        {cards.slice(0, SHOWN_CARDS).map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
