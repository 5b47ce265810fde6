import { MessageCircle } from 'lucide-react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { WebChannel } from '../channel.ts'
import { whatsappAccounts } from './accounts/whatsapp-accounts.ts'
import { HandsetIcon } from './handset-icon.tsx'
import { whatsappCampaigns } from './campaigns/whatsapp-campaigns.ts'
import { whatsappPhone } from './phone/whatsapp-phone.tsx'
import { whatsappRecords } from './whatsapp-records.ts'

export const whatsappChannel: WebChannel = {
  channel: 'whatsapp',
  mark: {
    icon: HandsetIcon,
    menuIcon: MessageCircle,
    tint: 'bg-whatsapp-muted text-whatsapp-text',
    color: 'var(--whatsapp)',
    fill: 'bg-whatsapp',
    line: { weight: 2.5 },
  },
  phone: whatsappPhone,
  campaigns: whatsappCampaigns,
  accounts: whatsappAccounts,
  price: {
    message: 'WhatsApp message',
    messages: 'WhatsApp messages',
    unit: 'A WhatsApp message',
    units: 'WhatsApp messages',
  },
  records: whatsappRecords,
  LoginExample: lazyComponent(() => import('./phone/login-example.tsx').then((code) => code.WhatsappLoginExample)),
  Settings: lazyComponent(() =>
    import('./accounts/whatsapp-settings.tsx').then(({ WhatsappSection }) => WhatsappSection),
  ),
}
