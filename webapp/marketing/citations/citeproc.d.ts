declare module "citeproc" {
  interface System {
    retrieveLocale: (language: string) => string;
    retrieveItem: (id: string) => unknown;
  }
  class Engine {
    constructor(system: System, style: string, language: string, isForced: boolean);
    updateItems(ids: readonly string[]): void;
    makeCitationCluster(items: readonly { id: string }[]): string;
    makeBibliography(): false | [{ entry_ids: string[][] }, string[]];
  }
  const citeproc: { Engine: typeof Engine };
  export default citeproc;
}
