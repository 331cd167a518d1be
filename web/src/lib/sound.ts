/* Sounds made on the spot, out of tones and noise. */

import type { Sound } from "./heard";
import { preferences } from "./preferences.svelte";

/** Hertz at the beginning and the end (noise around the second if the first is 0), seconds from when on and how long, loudness from 0 to 1. */
type Tone = readonly [from: number, to: number, at: number, length: number, loud: number];

const SWISH: Tone = [0, 2600, 0, 0.07, 0.25];
const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  deal: Array.from({ length: 8 }, (_, card): Tone => [0, 3200, card * 0.07, 0.05, 0.14]),
  lift: [[520, 700, 0, 0.04, 0.06]],
  play: [SWISH, [180, 90, 0.04, 0.09, 0.4]],
  pass: [[220, 160, 0, 0.14, 0.14]],
  answer: [[440, 520, 0, 0.1, 0.14]],
  bomb: [[0, 300, 0, 0.7, 0.8], [120, 35, 0, 0.6, 0.7]],
  rocket: [[200, 1800, 0, 0.6, 0.18], [0, 2400, 0, 0.6, 0.25], [0, 350, 0.6, 0.8, 0.8], [110, 30, 0.6, 0.7, 0.7]],
  spring: [523, 659, 784, 1047, 1319].map((tone, step): Tone => [tone, tone, 0.2 + step * 0.09, 0.25, 0.16]),
  turn: [[660, 660, 0, 0.12, 0.16], [880, 880, 0.12, 0.2, 0.16]],
  two: [[988, 988, 0.15, 0.08, 0.14], [988, 988, 0.28, 0.08, 0.14]],
  one: [0.15, 0.26, 0.37].map((at): Tone => [1175, 1175, at, 0.07, 0.18]),
  win: [523, 659, 784, 1047].map((tone, step): Tone => [tone, tone, 0.3 + step * 0.14, 0.32, 0.2]),
  lose: [392, 349, 294].map((tone, step): Tone => [tone, tone * 0.98, 0.3 + step * 0.2, 0.34, 0.18]),
  phrase: [[300, 380, 0, 0.09, 0.2], [420, 340, 0.11, 0.08, 0.2], [360, 260, 0.21, 0.14, 0.2]],
};

/** Whatever a page comes with when it is opened is not heard. */
const QUIET_MS = 1000;

let context: AudioContext | null = null;

/**
 * Have sounds ready, if the player wants any and has touched the page, as browsers ask for. The first time takes longer
 * than a few frames, so it is better done while nothing moves.
 */
export function tune(): AudioContext | null {
  if (!preferences.sound.value || !navigator.userActivation?.hasBeenActive) return null;
  return (context ??= new AudioContext());
}

export function sound(name: Sound): void {
  const audio = performance.now() < QUIET_MS ? null : tune();
  if (audio !== null) for (const tone of TONES[name]) make(audio, tone);
}

function make(audio: AudioContext, [from, to, at, length, loud]: Tone): void {
  const start = audio.currentTime + at;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  volume.connect(audio.destination);
  const source = from > 0 ? audio.createOscillator() : noise(audio, length);
  if (source instanceof OscillatorNode) {
    source.type = "triangle";
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + length);
    source.connect(volume);
  } else {
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = to;
    source.connect(filter).connect(volume);
  }
  source.start(start);
  source.stop(start + length);
}

function noise(audio: AudioContext, length: number): AudioBufferSourceNode {
  const source = audio.createBufferSource();
  source.buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  source.buffer.getChannelData(0).forEach((_, index, samples) => (samples[index] = Math.random() * 2 - 1));
  return source;
}
