/** What the build puts in place: which of the two browsers this is for. */
interface ImportMetaEnv {
  readonly FIREFOX: boolean;
}
