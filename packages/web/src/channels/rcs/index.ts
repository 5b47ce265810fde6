import { GalleryHorizontalEnd } from 'lucide-react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { WebChannel } from '../channel.ts'
import { rcsAccounts } from './accounts/rcs-accounts.ts'
import { rcsCampaigns } from './campaigns/rcs-campaigns.ts'
import { rcsPhone } from './phone/rcs-phone.tsx'
import { rcsRecords } from './rcs-records.ts'

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
  campaigns: rcsCampaigns,
  accounts: rcsAccounts,
  price: { message: 'RCS message', messages: 'RCS messages', unit: 'An RCS message', units: 'RCS messages' },
  records: rcsRecords,
  Settings: lazyComponent(() => import('./accounts/rcs-settings.tsx').then(({ RcsSection }) => RcsSection)),
  LoginExample: lazyComponent(() => import('./login-example.tsx').then((code) => code.RcsLoginExample)),
}
