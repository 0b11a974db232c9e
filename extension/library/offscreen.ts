// Beside the document that works through the captures: keeps the list of what the library has.
import { keepLibrary } from "./refresh.ts";

keepLibrary();
