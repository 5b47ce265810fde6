import { Mail } from 'lucide-react'
import type { WebChannel } from '../channel.ts'

export const emailChannel: WebChannel = {
  channel: 'email',
  mark: { icon: Mail, tint: 'bg-email-muted text-email-text' },
  campaigns: undefined,
}
