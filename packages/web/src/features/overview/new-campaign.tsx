import { Plus } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'

/** The one primary action of every overview. */
export function NewCampaign() {
  const included = useIncluded('campaign')
  if (included === false || !mayCall('drafts.create')) return null
  return (
    <Button variant="primary" size="sm" asChild>
      <AreaLink to="campaigns/sms-campaign-creation">
        <Plus aria-hidden /> New campaign
      </AreaLink>
    </Button>
  )
}
