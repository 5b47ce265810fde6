import { Plus } from 'lucide-react'
import { mayCall } from '../../lib/call.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'

/** The one primary action of every overview. */
export function NewCampaign() {
  if (!mayCall('drafts.create')) return null
  return (
    <Button variant="primary" size="sm" asChild>
      <AreaLink to="campaigns/sms-campaign-creation">
        <Plus aria-hidden /> New campaign
      </AreaLink>
    </Button>
  )
}
