import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useState } from "react";
import { validatePodcastRequest } from "#shared/podcasts/creation.ts";
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
import { contentAtom } from "#webapp/library/content.ts";
import { indexLibraryItems } from "#webapp/library/library-items.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { type ChosenSource, closePodcastDialog, createPodcast } from "../creation.ts";
import { GuestChooser } from "./guest-chooser.tsx";
import { type SourceChoice, SourceChooser } from "./source-chooser.tsx";
import "./create-dialog.css";

const DEFAULT_LENGTH: PodcastLength = 10;
const NO_VOICES: readonly PodcastVoice[] = [];

/** Research sessions with something to read; none while they cannot be listed. */
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

/** What an episode can be made from. */
function useSources(): SourceChoice[] {
  // Not every screen with this dialog has the sidebar, which loads it.
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
  const { answer } = useAsyncValue(useCallback(async () => (await client.podcasts.listVoices({})).voices, []));
  const voices = answer.state === "ready" ? answer.value : NO_VOICES;
  const chosen = voice ?? voices[0];
  const guest = { name: name ?? chosen?.name ?? "", voice: chosen?.id ?? "" };
  return { voices, chosen, setVoice, guest, setName };
}

function useWish(initial: readonly ChosenSource[]) {
  const navigate = useNavigate();
  const [sources, setSources] = useState(initial);
  const [title, setTitle] = useState("");
  const { voices, chosen, setVoice, guest, setName } = useGuest();
  const [length, setLength] = useState<PodcastLength>(DEFAULT_LENGTH);
  const [hasBreaks, setBreaks] = useState(true);
  const [mayFallBack, setFallBack] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const [isTried, setTried] = useState(false);
  const problem = validatePodcastRequest(sources, guest);
  const make = async () => {
    setTried(true);
    if (problem) return;
    setMaking(true);
    const podcast = await createPodcast({
      title,
      sources,
      guest,
      length_minutes: length,
      has_breaks: hasBreaks,
      may_fall_back: mayFallBack,
    });
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
    voices,
    chosen,
    setVoice,
    guest,
    setName,
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
  const wish = useWish(initial);
  const isServer = wish.chosen?.engine === "server";
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
          <Button variant="primary" pending={wish.isMaking} onClick={() => void wish.make()}>
            {t("podcasts.make")}
          </Button>
        </>
      }
    >
      <div className="podcast-form">
        <SourceChooser
          choices={choices}
          chosen={wish.sources}
          onChoose={wish.setSources}
          error={wish.problem === "podcast_source_count" ? t("podcasts.sources_count_wrong") : undefined}
        />
        <GuestChooser
          voices={wish.voices}
          chosen={wish.chosen}
          name={wish.guest.name}
          onVoice={wish.setVoice}
          onName={wish.setName}
          error={wish.problem === "podcast_guest_invalid" ? t("podcasts.guest_invalid") : undefined}
        />
        <LengthChooser length={wish.length} onLength={wish.setLength} />
        <Checkbox label={t("podcasts.breaks")} checked={wish.hasBreaks} onValue={wish.setBreaks} />
        {isServer && <Checkbox label={t("podcasts.fall_back")} checked={wish.mayFallBack} onValue={wish.setFallBack} />}
        <TextField
          label={t("podcasts.podcast_title")}
          hint={t("podcasts.podcast_title_hint")}
          maxLength={300}
          value={wish.title}
          onChange={(event) => wish.setTitle(event.target.value)}
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
