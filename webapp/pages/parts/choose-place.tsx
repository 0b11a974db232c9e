import { useAtomValue } from "jotai/react";
import { useEffect, useMemo, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { contentAtom, loadContent } from "#webapp/library/content.ts";
import { placesOf, type Place, type PlaceKind } from "#webapp/library/places.ts";
import { PlaceIcon } from "#webapp/ui/sidebar/place-icon.tsx";
import "./choose-place.css";

const MOST = 30;

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

interface Props {
  title: string;
  kinds: readonly PlaceKind[];
  /** Excluded: the id of the open page. */
  except: string;
  onChoose: (place: Place) => void;
  onClose: () => void;
}

/** Picks a page, deck or document by name; recently opened ones come first. */
export function ChoosePlace({ title, kinds, except, onChoose, onClose }: Props) {
  const content = useAtomValue(contentAtom);
  const [wanted, setWanted] = useState("");
  useEffect(() => void loadContent(), []);
  const found = useMemo(() => {
    const all = [...placesOf(content).values()].filter(({ id, kind }) => kinds.includes(kind) && id !== except);
    const named = all.filter((place) => plain(place.title).includes(plain(wanted.trim())));
    return named.toSorted((a, b) => b.openedAt - a.openedAt).slice(0, MOST);
  }, [content, kinds, except, wanted]);
  return (
    <Dialog open title={title} onClose={onClose} closeLabel={t("common.close")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found;
          if (first) onChoose(first);
        }}
      >
        <TextField label={t("pages.choose_name")} value={wanted} onChange={(event) => setWanted(event.target.value)} />
      </form>
      {found.length === 0 && <p role="status">{t("pages.choose_none")}</p>}
      <ul className="choose-place">
        {found.map((place) => (
          <li key={place.id}>
            <button type="button" onClick={() => onChoose(place)}>
              <PlaceIcon kind={place.kind} emoji={place.emoji} />
              <span>{place.title || t("pages.untitled")}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
