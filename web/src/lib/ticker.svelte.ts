/* One beat for everything that counts down, running only while something does. */

import { left, type Timer } from "./reducer";

const BEAT_MS = 200;

export class Countdown {
  private now = $state.raw(performance.now());

  constructor(private readonly timer: () => Timer | null) {
    $effect(() => {
      if (this.timer() === null) return;
      this.now = performance.now();
      const beat = setInterval(() => (this.now = performance.now()), BEAT_MS);
      return () => clearInterval(beat);
    });
  }

  /** The part of the time that is left, from 1 to 0; null without a clock. */
  get part(): number | null {
    const timer = this.timer();
    return timer === null || timer.limit <= 0 ? null : Math.min(1, left(timer, this.now) / timer.limit);
  }

  get seconds(): number | null {
    const timer = this.timer();
    return timer === null ? null : Math.ceil(left(timer, this.now) / 1000);
  }
}
