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
