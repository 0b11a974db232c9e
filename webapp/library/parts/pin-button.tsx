import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { usePinItem, type PinnableItem } from "../use-pin-item.tsx";

/** Pins or unpins an item, for screens without a menu. */
export function PinButton({ item }: { item: PinnableItem }) {
  const { label, icon, onSelect } = usePinItem(item);
  return <IconButton label={label} icon={icon} onClick={onSelect} />;
}
