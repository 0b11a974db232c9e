import { FileContent } from "#shared/pages/schema.ts";
import { titleOfFile } from "#shared/uploads/rules.ts";
import type { PageSource } from "./page-port.tsx";
import { isPicture } from "./pictures.ts";

/** The blocks that cards can be made from. A linked video has a title but no file. */
export function listCardSources(
  blocks: readonly { _id: string; type: string }[],
  contentOf: (id: string) => unknown,
): PageSource[] {
  return blocks.flatMap(({ _id: componentId, type }) => {
    const { data } = FileContent.safeParse(contentOf(componentId));
    const kind = data && getSourceKind(type, data);
    if (!data || !kind) return [];
    const { file, title } = data;
    return { componentId, name: file.name || title, title: title || titleOfFile(file.name), kind };
  });
}

function getSourceKind(type: string, content: FileContent): PageSource["kind"] | undefined {
  if (type === "video") return content.file.id === "" && content.url === "" ? undefined : "video";
  if (/\.(pdf|docx?|pptx?)$/i.test(content.file.id)) return "document";
  return isPicture(content) ? "picture" : undefined;
}
