import { useRef, useState } from "react";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { Dialog } from "#shared/ui/dialog.tsx";
import { TextField } from "#shared/ui/text-field.tsx";
import { fetchLinked } from "#webapp/kit/linked-file.ts";

interface Props {
  onClose: () => void;
  onFiles: (files: readonly File[]) => void;
}

function useFetching(onFetched: (file: File) => void) {
  const [problem, setProblem] = useState<string>();
  const [isFetching, setFetching] = useState(false);
  const stopping = useRef<AbortController>(undefined);
  const go = async (address: string) => {
    const mine = new AbortController();
    stopping.current = mine;
    setFetching(true);
    setProblem(undefined);
    try {
      onFetched(await fetchLinked(address, mine.signal));
    } catch (error) {
      setProblem(error instanceof Failure ? error.message : friendlyFailure(error, "upload")?.message);
    } finally {
      setFetching(false);
    }
  };
  return { problem, isFetching, go, stop: () => stopping.current?.abort() };
}

/** A file that stands at an address: the server fetches it, then it goes the way of every upload. */
export function LinkDialog({ onClose, onFiles }: Props) {
  const [address, setAddress] = useState("");
  const { problem, isFetching, go, stop } = useFetching((file) => {
    onFiles([file]);
    onClose();
  });
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
          <Button variant="primary" pending={isFetching} onClick={() => void go(address)}>
            {t("uploads.link_go")}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFetching) void go(address);
        }}
      >
        <TextField
          type="url"
          inputMode="url"
          autoComplete="off"
          autoFocus
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
