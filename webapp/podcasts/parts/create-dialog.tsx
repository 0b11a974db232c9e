import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useState } from "react";
import { validatePodcastRequest } from "#shared/podcasts/validate-request.ts";
import { LENGTHS_MINUTES, type PodcastLength, type PodcastVoice } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { client } from "#webapp/app/client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useCallSignal } from "#webapp/app/hooks/use-call-signal.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { indexLibraryItems } from "#webapp/library/library-items.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { type ChosenSource, closePodcastDialog, createPodcast } from "../creation.ts";
import { GuestChooser } from "./guest-chooser.tsx";
import { type SourceChoice, SourceChooser } from "./source-chooser.tsx";
import "./create-dialog.css";

const DEFAULT_LENGTH: PodcastLength = 10;
const NO_VOICES: readonly PodcastVoice[] = [];

/** Research sessions that have text. */
async function listResearch(): Promise<SourceChoice[]> {
  const { conversations } = await client.research.listConversations({});
  return conversations
    .filter(({ snippet }) => snippet !== "")
    .map(({ _id: id, conversation_title: title, last_opened: changedAt }) => ({
      id,
      type: "research",
      title,
      changedAt,
    }));
}

/**
 * The library items and research sessions that an episode can be made from; research is missing if it fails to load.
 */
function useSources(): SourceChoice[] {
  // Loads the content, because not every screen with this dialog has the sidebar, which would load it.
  useContent();
  const content = useAtomValue(contentAtom);
  const { answer } = useAsyncValue(useCallback(() => listResearch(), []));
  const files = [...indexLibraryItems(content).values()].flatMap(({ id, kind, title, changedAt }) =>
    kind === "pdf" || kind === "video" ? [{ id, type: kind, title, changedAt }] : [],
  );
  const research = answer.state === "ready" ? answer.value : [];
  return [...files, ...research].toSorted((a, b) => b.changedAt - a.changedAt);
}

function useGuest() {
  const [voice, setVoice] = useState<PodcastVoice>();
  const [name, setName] = useState<string>();
  const { answer, retry } = useAsyncValue(useCallback(async () => (await client.podcasts.listVoices({})).voices, []));
  const hasFailed = answer.state === "failed";
  const voices = answer.state === "ready" ? answer.value : NO_VOICES;
  const chosen = voice ?? voices[0];
  const guest = { name: name ?? chosen?.name ?? "", voice: chosen?.id ?? "" };
  return { voices, retryVoices: hasFailed ? retry : undefined, chosen, setVoice, guest, setName };
}

function usePodcastForm(initial: readonly ChosenSource[]) {
  const navigate = useNavigate();
  const [sources, setSources] = useState(initial);
  const [title, setTitle] = useState("");
  const { guest, ...guestForm } = useGuest();
  const [length, setLength] = useState<PodcastLength>(DEFAULT_LENGTH);
  const [hasBreaks, setBreaks] = useState(true);
  const [mayFallBack, setFallBack] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const [isTried, setTried] = useState(false);
  const { begin } = useCallSignal();
  const problem = validatePodcastRequest(sources, guest);
  const make = async () => {
    setTried(true);
    if (problem) return;
    setMaking(true);
    const options = { title, sources, guest, length_minutes: length };
    const podcast = await createPodcast({ ...options, has_breaks: hasBreaks, may_fall_back: mayFallBack }, begin());
    setMaking(false);
    if (!podcast) return;
    closePodcastDialog();
    await navigate({ to: screenPath("podcast", { id: podcast._id }) });
  };
  return {
    sources,
    setSources,
    title,
    setTitle,
    guest,
    ...guestForm,
    length,
    setLength,
    hasBreaks,
    setBreaks,
    mayFallBack,
    setFallBack,
    isMaking,
    make,
    problem: isTried ? problem : undefined,
  };
}

/** Sources, guest and length of a new episode. */
export function CreateDialog({ initial }: { initial: readonly ChosenSource[] }) {
  const choices = useSources();
  const form = usePodcastForm(initial);
  const isServer = form.chosen?.engine === "server";
  return (
    <Dialog
      open
      title={t("podcasts.new_title")}
      onClose={closePodcastDialog}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={
        <>
          <Button variant="quiet" onClick={closePodcastDialog}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" pending={form.isMaking} onClick={() => void form.make()}>
            {t("podcasts.make")}
          </Button>
        </>
      }
    >
      <div className="podcast-form">
        <SourceChooser
          choices={choices}
          chosen={form.sources}
          onChoose={form.setSources}
          error={form.problem === "podcast_source_count" ? t("podcasts.sources_count_wrong") : undefined}
        />
        <GuestChooser
          voices={form.voices}
          onRetry={form.retryVoices}
          chosen={form.chosen}
          name={form.guest.name}
          onVoice={form.setVoice}
          onName={form.setName}
          error={form.problem === "podcast_guest_invalid" ? t("podcasts.guest_invalid") : undefined}
        />
        <LengthChooser length={form.length} onLength={form.setLength} />
        <Checkbox label={t("podcasts.breaks")} checked={form.hasBreaks} onValue={form.setBreaks} />
        {isServer && <Checkbox label={t("podcasts.fall_back")} checked={form.mayFallBack} onValue={form.setFallBack} />}
        <TextField
          label={t("podcasts.podcast_title")}
          hint={t("podcasts.podcast_title_hint")}
          maxLength={300}
          value={form.title}
          onChange={(event) => form.setTitle(event.target.value)}
        />
      </div>
    </Dialog>
  );
}

function LengthChooser({ length, onLength }: { length: PodcastLength; onLength: (length: PodcastLength) => void }) {
  return (
    <Segmented
      label={t("podcasts.length")}
      labelShown
      value={String(length)}
      options={LENGTHS_MINUTES.map((count) => ({
        value: String(count),
        label: t("podcasts.minutes_short", { count }),
      }))}
      onValue={(value) => {
        const chosen = LENGTHS_MINUTES.find((minutes) => String(minutes) === value);
        if (chosen !== undefined) onLength(chosen);
      }}
    />
  );
}
