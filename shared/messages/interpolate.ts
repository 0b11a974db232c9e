/** Interpolates `{{name}}` in messages that are loaded separately from the web app's table. */
export const interpolate = (message: string, values: Readonly<Record<string, string | number>>): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
