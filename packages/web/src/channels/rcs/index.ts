import { GalleryHorizontalEnd } from 'lucide-react'
import type { WebChannel } from '../channel.ts'

export const rcsChannel: WebChannel = {
  channel: 'rcs',
  mark: { icon: GalleryHorizontalEnd, tint: 'bg-rcs-muted text-rcs-text' },
  campaigns: undefined,
}
