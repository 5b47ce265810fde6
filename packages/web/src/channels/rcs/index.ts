import { GalleryHorizontalEnd } from 'lucide-react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { WebChannel } from '../channel.ts'

export const rcsChannel: WebChannel = {
  channel: 'rcs',
  mark: {
    icon: GalleryHorizontalEnd,
    menuIcon: GalleryHorizontalEnd,
    tint: 'bg-rcs-muted text-rcs-text',
    color: 'var(--rcs)',
    fill: 'bg-rcs',
    line: { dash: '6 3' },
  },
  LoginExample: lazyComponent(() => import('./login-example.tsx').then((code) => code.RcsLoginExample)),
}
