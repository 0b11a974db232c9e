type Navigate = (path: string) => void;

let navigate: Navigate = (path) => location.assign(path);

/** Set by the router as soon as it exists. */
export function setNavigate(next: Navigate): void {
  navigate = next;
}

/** Navigates from code outside components. */
export function goTo(path: string): void {
  navigate(path);
}

/**
 * The history state of another arrival at the open screen. It differs even if the address is the same, and the screen then
 * scrolls to what the address names again.
 */
export const forceRescrollState = ({ arrival = 0 }: { arrival?: number }) => ({ arrival: arrival + 1 });

let assignLocation: Navigate = (address) => location.assign(address);

/** Lets tests replace leaving the app. */
export function setAssignLocation(next: Navigate): void {
  assignLocation = next;
}

/** Navigates to an address outside the app. */
export function openExternal(address: string): void {
  assignLocation(address);
}
