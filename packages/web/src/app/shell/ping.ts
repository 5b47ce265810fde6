import { currentPreferences } from '../../lib/preferences.ts'

let context: AudioContext | undefined
let playedAt = Number.NEGATIVE_INFINITY

/** A message and its notification arrive shortly after each other. */
const pauseMs = 1500

/** Plays a soft tone of 200 ms unless sounds are off; browsers play nothing before the user has interacted with the page. */
export function playPing() {
  if (!currentPreferences().sounds || performance.now() - playedAt < pauseMs) return
  playedAt = performance.now()
  try {
    context ??= new AudioContext()
    if (context.state !== 'running') return
    const tone = context.createOscillator()
    const volume = context.createGain()
    const now = context.currentTime
    tone.frequency.setValueAtTime(880, now)
    volume.gain.setValueAtTime(0.0001, now)
    volume.gain.exponentialRampToValueAtTime(0.08, now + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, now + 0.2)
    tone.connect(volume).connect(context.destination)
    tone.start(now)
    tone.stop(now + 0.2)
  } catch {
    // There is no sound device; the dot is sufficient.
  }
}
