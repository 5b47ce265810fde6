import { MessageSquareText } from 'lucide-react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { WebChannel } from '../channel.ts'
import { smsAccounts } from './accounts/sms-accounts.ts'
import { smsCampaigns } from './campaigns/sms-campaigns.ts'
import { smsPhone } from './phone/sms-phone.tsx'
import { smsRecords } from './sms-records.ts'

export const smsChannel: WebChannel = {
  channel: 'sms',
  mark: {
    icon: MessageSquareText,
    menuIcon: MessageSquareText,
    tint: 'bg-sms-muted text-sms-text',
    color: 'var(--sms)',
    fill: 'bg-sms',
  },
  phone: smsPhone,
  campaigns: smsCampaigns,
  accounts: smsAccounts,
  price: { message: 'SMS', messages: 'SMS', unit: 'An SMS part', units: 'SMS parts' },
  records: smsRecords,
  LoginExample: lazyComponent(() => import('./phone/login-example.tsx').then((code) => code.SmsLoginExample)),
}
