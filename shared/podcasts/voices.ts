/** A voice of the built-in synthesiser: a recorded person, possibly with a changed pitch. */
export interface Voice {
  id: string;
  name: string;
  gender: "female" | "male";
  /** Name of the recorded voice; several guests may share one. */
  recording: "slt" | "rms" | "awb";
  /** Mean pitch in Hz, and how much longer every sound lasts; undefined leaves both as recorded. */
  pitchHz?: number;
  stretch?: number;
}

/** The six guests. */
export const voices: readonly Voice[] = [
  { id: "MAYA_FEMALE", name: "Maya", gender: "female", recording: "slt" },
  { id: "IRIS_FEMALE", name: "Iris", gender: "female", recording: "slt", pitchHz: 215 },
  { id: "RUTH_FEMALE", name: "Ruth", gender: "female", recording: "slt", pitchHz: 150, stretch: 1.08 },
  { id: "NOAH_MALE", name: "Noah", gender: "male", recording: "rms" },
  { id: "EWAN_MALE", name: "Ewan", gender: "male", recording: "awb" },
  { id: "OTTO_MALE", name: "Otto", gender: "male", recording: "rms", pitchHz: 80 },
];

export const findVoice = (id: string): Voice | undefined => voices.find((voice) => voice.id === id);

const HOST_FOR_FEMALE_GUEST = "NOAH_MALE";
const HOST_FOR_MALE_GUEST = "MAYA_FEMALE";

/** The host is never the same recorded person as the guest. */
export function hostFor(guestVoiceId: string): Voice {
  const id = findVoice(guestVoiceId)?.gender === "female" ? HOST_FOR_FEMALE_GUEST : HOST_FOR_MALE_GUEST;
  const host = findVoice(id);
  if (!host) throw new Error(`no voice ${id}`);
  return host;
}

/** Ordinary prose. It is read together with `SAMPLE_TEXT` to measure how fast a voice speaks. */
export const MEASURED_TEXT =
  "Scientists collected observations from several different environments, which suggested that temperature and available nutrients influence the growth of microscopic organisms.";

/** Text of the voice sample. */
export const SAMPLE_TEXT =
  "In plants, photosynthesis takes place in the leaves. I read your own pages aloud, word for word, and every line shows where it stands.";
