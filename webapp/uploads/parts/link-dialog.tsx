import { useRef, useState } from "react";
import { ulid } from "ulid";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { parseVideoAddress } from "#shared/video/addresses.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { client } from "#webapp/app/client.ts";
import { useCallSignal } from "#webapp/app/hooks/use-call-signal.ts";
import { deleteCancelled } from "#webapp/library/delete-items.ts";
import { fetchLinkedFile } from "../fetch-linked-file.ts";

interface Props {
  onClose: () => void;
  onFiles: (files: readonly File[]) => void;
  /** The page for the component of a linked video; null creates a page. The video itself is not copied. */
  pageId: string | null;
  onVideo: (component: Component) => void;
}

const isVideoLink = (address: string) => parseVideoAddress(address).kind !== "refused";

/** Creates the component of a video link; undefined if the link is not a video. */
async function createVideoFromLink(
  address: string,
  { pageId, componentId, signal }: { pageId: string | null; componentId: string; signal: AbortSignal },
): Promise<Component | undefined> {
  if (!isVideoLink(address)) return undefined;
  const pageInput = pageId === null ? {} : { pageId };
  const input = { url: address, componentId, ...pageInput };
  return (await client.video.createVideoComponent(input, { signal })).component;
}

function useLinkFetch({ pageId, onFiles, onVideo, onClose }: Props) {
  const [problem, setProblem] = useState<string>();
  const [isFetching, setFetching] = useState(false);
  const componentIds = useRef(new Map<string, string>());
  /** The same id for the same link, so that a retry after a lost response does not create a second video. */
  const componentIdOf = (address: string) => {
    const id = componentIds.current.get(address) ?? ulid();
    componentIds.current.set(address, id);
    return id;
  };
  const { begin, stop } = useCallSignal();
  const submit = async (address: string) => {
    const signal = begin();
    setFetching(true);
    setProblem(undefined);
    const link = address.trim();
    const componentId = componentIdOf(link);
    let isVideoUsed = false;
    try {
      const video = await createVideoFromLink(link, { pageId, componentId, signal });
      const file = video ? undefined : await fetchLinkedFile(address, signal);
      if (signal.aborted) return;
      isVideoUsed = video !== undefined;
      if (video) onVideo(video);
      if (file) onFiles([file]);
      onClose();
    } catch (error) {
      setProblem(error instanceof Failure ? error.message : toFailureMessage(error, "upload")?.message);
    } finally {
      setFetching(false);
      if (signal.aborted && !isVideoUsed && isVideoLink(link)) void deleteCancelled(componentId, pageId);
    }
  };
  return { problem, isFetching, submit, stop };
}

/** Adds a file or video from a link. The server fetches files, which are then uploaded as usual. */
export function LinkDialog(props: Props) {
  const { onClose } = props;
  const [address, setAddress] = useState("");
  const { problem, isFetching, submit, stop } = useLinkFetch(props);
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Dialog
      open
      title={t("uploads.link_title")}
      closeLabel={t("common.close")}
      onClose={close}
      closeOnBackdrop={address === ""}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" pending={isFetching} onClick={() => void submit(address)}>
            {t("uploads.link_go")}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFetching) void submit(address);
        }}
      >
        <TextField
          type="url"
          inputMode="url"
          autoComplete="off"
          ref={focusInDialog}
          label={t("uploads.link_label")}
          hint={t("uploads.link_hint")}
          error={problem}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
