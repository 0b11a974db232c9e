/** The lines of a CSV stream. */
export async function readCsv(chunks: AsyncIterable<string>): Promise<string[]> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text.trimEnd().split("\r\n");
}
