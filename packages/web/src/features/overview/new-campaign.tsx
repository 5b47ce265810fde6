import { defaultChannels } from '@carillon/contract/constants'
import { ChevronDown, MessageCircle, MessageSquareText, Plus } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink, useGo } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { wizardOf } from './campaign-places.ts'

/** The one primary action of every overview: by channel, where there is more than one to choose from. */
export function NewCampaign() {
  const included = useIncluded('campaign')
  const go = useGo()
  if (included === false || !mayCall('drafts.create')) return null
  if (!mayCall('waDrafts.create')) {
    return (
      <Button variant="primary" size="sm" asChild>
        <AreaLink to={wizardOf(defaultChannels.campaigns)}>
          <Plus aria-hidden /> New campaign
        </AreaLink>
      </Button>
    )
  }
  return (
    <Menu
      label="New campaign"
      trigger={
        <Button variant="primary" size="sm">
          <Plus aria-hidden /> New campaign <ChevronDown aria-hidden />
        </Button>
      }
      items={[
        { label: 'SMS campaign', icon: MessageSquareText, onSelect: () => go(wizardOf('sms')) },
        { label: 'WhatsApp campaign', icon: MessageCircle, onSelect: () => go(wizardOf('whatsapp')) },
      ]}
    />
  )
}
