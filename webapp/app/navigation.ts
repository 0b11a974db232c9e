type Go = (path: string) => void;

let go: Go = (path) => location.assign(path);

/** Set by the router as soon as it exists. */
export function navigateBy(next: Go): void {
  go = next;
}

/** Navigates from code outside components. */
export function goTo(path: string): void {
  go(path);
}

let leave: Go = (address) => location.assign(address);

/** Lets tests replace leaving the app. */
export function leaveBy(next: Go): void {
  leave = next;
}

/** Navigates to an address outside the app. */
export function leaveFor(address: string): void {
  leave(address);
}
