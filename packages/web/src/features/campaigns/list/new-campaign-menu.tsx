import { defaultChannels } from '@carillon/contract/constants'
import { ChevronDown, MessageCircle, MessageSquareText, Plus } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { AreaLink, useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { callsOf } from './channel-calls.ts'

/** A new campaign by its channel; where there is one channel to choose from, a plain link. */
export function NewCampaign({ variant = 'primary' }: { variant?: 'primary' | 'outline' }) {
  const go = useGo()
  if (!mayCall('drafts.create')) return null
  if (!mayCall('waDrafts.create')) {
    return (
      <Button variant={variant} size="sm" asChild>
        <AreaLink to={callsOf(defaultChannels.campaigns).wizard}>
          <Plus aria-hidden /> New campaign
        </AreaLink>
      </Button>
    )
  }
  return (
    <Menu
      label="New campaign"
      trigger={
        <Button variant={variant} size="sm">
          <Plus aria-hidden /> New campaign <ChevronDown aria-hidden />
        </Button>
      }
      items={[
        { label: 'SMS campaign', icon: MessageSquareText, onSelect: () => go(callsOf('sms').wizard) },
        { label: 'WhatsApp campaign', icon: MessageCircle, onSelect: () => go(callsOf('whatsapp').wizard) },
      ]}
    />
  )
}
