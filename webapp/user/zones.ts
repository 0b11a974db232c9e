/** The platform's time zones, plus the current one if it is not listed, such as UTC. */
export function zones(current: string) {
  const known = Intl.supportedValuesOf("timeZone");
  const names = known.includes(current) ? known : [current, ...known];
  return names.map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
