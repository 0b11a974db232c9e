/** The platform's time zones, with the one that is set even where the platform does not list it, such as UTC. */
export function zones(current: string) {
  const known = Intl.supportedValuesOf("timeZone");
  const names = known.includes(current) ? known : [current, ...known];
  return names.map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
