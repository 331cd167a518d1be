/* A switch that this browser remembers. */

export class Stored {
  private current = $state(false);

  constructor(
    private readonly key: string,
    fallback: boolean,
  ) {
    const kept = localStorage.getItem(key);
    this.current = kept === null ? fallback : kept === "on";
  }

  get value(): boolean {
    return this.current;
  }

  set value(on: boolean) {
    this.current = on;
    localStorage.setItem(this.key, on ? "on" : "off");
  }
}
