import { Phone } from 'lucide-react'
import type { WebChannel } from '../channel.ts'

export const voiceChannel: WebChannel = {
  channel: 'voice',
  mark: { icon: Phone, tint: 'bg-voice-muted text-voice-text' },
  campaigns: undefined,
}
