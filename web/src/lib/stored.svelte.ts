/* What this browser remembers: a text, or a switch. */

export class StoredText {
  private current = $state("");

  constructor(
    private readonly key: string,
    fallback: string,
  ) {
    this.current = localStorage.getItem(key) ?? fallback;
  }

  get value(): string {
    return this.current;
  }

  set value(text: string) {
    this.current = text;
    localStorage.setItem(this.key, text);
  }
}

export class Stored {
  private readonly text: StoredText;

  constructor(key: string, fallback: boolean) {
    this.text = new StoredText(key, written(fallback));
  }

  get value(): boolean {
    return this.text.value === "on";
  }

  set value(on: boolean) {
    this.text.value = written(on);
  }
}

function written(on: boolean): string {
  return on ? "on" : "off";
}
