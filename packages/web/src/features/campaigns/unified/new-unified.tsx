import { Plus } from 'lucide-react'
import { mayCreateUnified, unifiedCampaignPath } from '../../../channels/campaign-wizards.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'

/** For roles that may send on at least two channels. */
export function NewUnified({ variant = 'primary' }: { variant?: 'primary' | 'outline' }) {
  if (!mayCreateUnified()) return null
  return (
    <Button variant={variant} size="sm" asChild>
      <AreaLink to={unifiedCampaignPath}>
        <Plus aria-hidden /> New unified campaign
      </AreaLink>
    </Button>
  )
}
