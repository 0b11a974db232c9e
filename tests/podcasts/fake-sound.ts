/** A fake of the player's audio element; the test sets the state that a browser would set. */
interface FakeSound {
  /** The element; undefined until something was played. */
  element?: HTMLAudioElement;
  fault: MediaError | null;
  /** Creates the element; replaces the browser's `Audio` class. */
  create: () => HTMLAudioElement;
  /** Reports that the sound has reached this second. */
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
