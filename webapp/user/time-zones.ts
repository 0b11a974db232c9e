/** The platform's time zones, plus the current one if it is not listed, such as UTC. */
export function listTimeZones(current: string) {
  const platformZones = Intl.supportedValuesOf("timeZone");
  const names = platformZones.includes(current) ? platformZones : [current, ...platformZones];
  return names.map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
