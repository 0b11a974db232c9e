/** The sound of the player, of which a browser would set the state. */
interface FakeSound {
  /** The element; undefined until something was played. */
  element?: HTMLAudioElement;
  fault: MediaError | null;
  /** Creates the element, in the place of the browser's own class. */
  create: () => HTMLAudioElement;
  /** The sound is heard at this second. */
  hearAt: (seconds: number) => void;
}

export function aFakeSound(): FakeSound {
  const RealAudio = globalThis.Audio;
  const fake: FakeSound = {
    fault: null,
    create: function createSound() {
      const created = new RealAudio();
      Object.defineProperty(created, "readyState", { get: () => 4 });
      Object.defineProperty(created, "error", { get: () => fake.fault });
      created.play = () => Promise.resolve().then(() => void created.dispatchEvent(new Event("play")));
      created.pause = () => void created.dispatchEvent(new Event("pause"));
      fake.element = created;
      return created;
    },
    hearAt(seconds) {
      fake.fault = null;
      if (fake.element) fake.element.currentTime = seconds;
      fake.element?.dispatchEvent(new Event("timeupdate"));
    },
  };
  return fake;
}
