import { GalleryHorizontalEnd } from 'lucide-react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { WebChannel } from '../channel.ts'
import { rcsPhone } from './phone/rcs-phone.tsx'

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
  phone: rcsPhone,
  price: { message: 'RCS message', messages: 'RCS messages', unit: 'An RCS message', units: 'RCS messages' },
  LoginExample: lazyComponent(() => import('./login-example.tsx').then((code) => code.RcsLoginExample)),
}
