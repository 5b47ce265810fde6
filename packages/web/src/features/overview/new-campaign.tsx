import { ChevronDown, Plus } from 'lucide-react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { channelScreens } from '../../channels/screens.ts'
import { mayCall } from '../../lib/call.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink, useGo } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

/** The one primary action of every overview: by channel, where there is more than one to choose from. */
export function NewCampaign() {
  const included = useIncluded('campaign')
  const go = useGo()
  const choices = channelList.flatMap(({ channel, mark }) => {
    const screen = channelScreens[channel].newCampaign
    return screen && mayCall(screen.call) ? [{ channel, mark, path: screen.path }] : []
  })
  const [first, ...others] = choices
  if (included === false || !first) return null
  if (others.length === 0) {
    return (
      <Button variant="primary" size="sm" asChild>
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
        <Button variant="primary" size="sm">
          <Plus aria-hidden /> New campaign <ChevronDown aria-hidden />
        </Button>
      }
      items={choices.map(({ channel, mark, path }) => ({
        label: `${channelLabel(channel)} campaign`,
        icon: mark.menuIcon,
        onSelect: () => go(path),
      }))}
    />
  )
}
