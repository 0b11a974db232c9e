type Go = (path: string) => void;

let go: Go = (path) => location.assign(path);

/** The router takes over as soon as it stands. */
export function navigateBy(next: Go): void {
  go = next;
}

/** Shows another screen from code that is no component. */
export function goTo(path: string): void {
  go(path);
}

let leave: Go = (address) => location.assign(address);

/** Tests stay where they are. */
export function leaveBy(next: Go): void {
  leave = next;
}

/** Goes to an address outside this app. */
export function leaveFor(address: string): void {
  leave(address);
}
