// Synthesised wooden clicks, or the game's own sound files.
import { prefs } from "./prefs.svelte";

export type SoundName =
  | "move"
  | "capture"
  | "drop"
  | "click"
  | "change"
  | "release"
  | "win"
  | "loss"
  | "draw"
  | "opening"
  | "tick";

let context: AudioContext | null = null;
const buffers = new Map<string, Promise<AudioBuffer>>();

function audio(): AudioContext | null {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    return context;
  } catch {
    return null;
  }
}

/** `own` is what the game says: an address, "" for silence, null for ours. */
export function sound(name: SoundName, own: string | null | undefined): void {
  if (!prefs.sound || prefs.volume === 0) return;
  const out = audio();
  if (!out) return;
  const gain = out.createGain();
  gain.gain.value = (prefs.volume / 100) ** 2;
  gain.connect(out.destination);
  if (prefs.gameSounds && own === "") return;
  if (prefs.gameSounds && own) {
    void play(out, gain, own).catch(() => made(out, gain, name));
    return;
  }
  made(out, gain, name);
}

async function play(out: AudioContext, gain: GainNode, url: string): Promise<void> {
  let buffer = buffers.get(url);
  if (!buffer) {
    buffer = fetch(url)
      .then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.arrayBuffer();
      })
      .then((bytes) => out.decodeAudioData(bytes));
    buffers.set(url, buffer);
    buffer.catch(() => buffers.delete(url));
  }
  const source = out.createBufferSource();
  source.buffer = await buffer;
  source.connect(gain);
  source.start();
}

function made(out: AudioContext, gain: GainNode, name: SoundName): void {
  const now = out.currentTime + 0.005;
  switch (name) {
    case "move":
      knock(out, gain, now, 320, 0.9);
      break;
    case "drop":
      knock(out, gain, now, 260, 1);
      break;
    case "capture":
      knock(out, gain, now, 420, 0.8);
      knock(out, gain, now + 0.06, 250, 1);
      break;
    case "click":
    case "release":
      knock(out, gain, now, 620, 0.25);
      break;
    case "change":
      knock(out, gain, now, 520, 0.5);
      knock(out, gain, now + 0.05, 640, 0.4);
      break;
    case "win":
      tune(out, gain, now, [392, 494, 587, 784]);
      break;
    case "draw":
      tune(out, gain, now, [440, 440]);
      break;
    case "loss":
      tune(out, gain, now, [392, 330, 262]);
      break;
    case "tick":
      knock(out, gain, now, 900, 0.12);
      break;
    case "opening":
      break;
  }
}

/** A short decaying tone, and the noise of the touch. */
function knock(out: AudioContext, to: GainNode, at: number, pitch: number, level: number): void {
  for (const [ratio, loud, length] of [
    [1, 0.5, 0.07],
    [2.4, 0.22, 0.035],
    [4.1, 0.1, 0.02],
  ] as const) {
    const tone = out.createOscillator();
    const shape = out.createGain();
    tone.type = "sine";
    tone.frequency.setValueAtTime(pitch * ratio * 1.06, at);
    tone.frequency.exponentialRampToValueAtTime(pitch * ratio, at + 0.02);
    shape.gain.setValueAtTime(loud * level, at);
    shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(shape).connect(to);
    tone.start(at);
    tone.stop(at + length + 0.01);
  }
  const length = Math.floor(out.sampleRate * 0.02);
  const buffer = out.createBuffer(1, length, out.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const noise = out.createBufferSource();
  const filter = out.createBiquadFilter();
  const shape = out.createGain();
  filter.type = "bandpass";
  filter.frequency.value = 1400;
  shape.gain.value = 0.25 * level;
  noise.buffer = buffer;
  noise.connect(filter).connect(shape).connect(to);
  noise.start(at);
}

function tune(out: AudioContext, to: GainNode, at: number, notes: number[]): void {
  notes.forEach((pitch, i) => {
    const tone = out.createOscillator();
    const shape = out.createGain();
    const start = at + i * 0.13;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    shape.gain.setValueAtTime(0.0001, start);
    shape.gain.exponentialRampToValueAtTime(0.22, start + 0.02);
    shape.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
    tone.connect(shape).connect(to);
    tone.start(start);
    tone.stop(start + 0.45);
  });
}
