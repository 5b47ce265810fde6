import { Mail } from 'lucide-react'
import type { WebChannel } from '../channel.ts'

export const emailChannel: WebChannel = {
  channel: 'email',
  mark: {
    icon: Mail,
    menuIcon: Mail,
    tint: 'bg-email-muted text-email-text',
    color: 'var(--email)',
    fill: 'bg-email',
  },
}
