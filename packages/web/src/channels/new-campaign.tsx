import { channelTraits } from '@carillon/contract/channels/table'
import { ChevronDown, Layers, Plus } from 'lucide-react'
import { AreaLink, useGo } from '../ui/area-link.tsx'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { ownWizards, unifiedCampaignPath } from './campaign-wizards.ts'
import { channels } from './index.ts'

/** A new campaign by its channel; a plain link if there is only one channel. */
export function NewCampaign({ variant = 'primary' }: { variant?: 'primary' | 'outline' }) {
  const go = useGo()
  const [first, ...others] = ownWizards()
  if (!first) return null
  if (others.length === 0) {
    return (
      <Button variant={variant} size="sm" asChild>
        <AreaLink to={first.path}>
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
        ...[first, ...others].map(({ channel, path }) => ({
          label: `${channelTraits[channel].label} campaign`,
          icon: channels[channel].mark.menuIcon,
          onSelect: () => go(path),
        })),
        'separator',
        {
          label: 'Unified campaign',
          icon: Layers,
          onSelect: () => go(unifiedCampaignPath),
        },
      ]}
    />
  )
}
