/** Set by the build: whether it targets Firefox. */
interface ImportMetaEnv {
  readonly FIREFOX: boolean;
}
