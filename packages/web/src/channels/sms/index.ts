import { MessageSquareText } from 'lucide-react'
import type { WebChannel } from '../channel.ts'
import { smsCampaigns } from './campaigns/sms-campaigns.ts'

export const smsChannel: WebChannel = {
  channel: 'sms',
  mark: { icon: MessageSquareText, tint: 'bg-sms-muted text-sms-text' },
  campaigns: smsCampaigns,
}
