/** A shuffled copy (Fisher–Yates); `random` returns numbers from 0 up to 1. */
export function shuffled<T>(things: readonly T[], random: () => number): T[] {
  const mixed = [...things];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [a, b] = [mixed[at] as T, mixed[other] as T];
    mixed[at] = b;
    mixed[other] = a;
  }
  return mixed;
}
