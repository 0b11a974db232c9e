import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { usePinItem, type PinnableItem } from "../use-pin-item.tsx";

/** Pins an item to the sidebar or removes its pin, on screens without a menu. */
export function PinButton({ item }: { item: PinnableItem }) {
  const { label, icon, onSelect } = usePinItem(item);
  return <IconButton label={label} icon={icon} onClick={onSelect} />;
}
