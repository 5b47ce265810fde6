import { Phone } from 'lucide-react'
import type { WebChannel } from '../channel.ts'

export const voiceChannel: WebChannel = {
  channel: 'voice',
  mark: {
    icon: Phone,
    menuIcon: Phone,
    tint: 'bg-voice-muted text-voice-text',
    color: 'var(--voice)',
    fill: 'bg-voice',
  },
}
