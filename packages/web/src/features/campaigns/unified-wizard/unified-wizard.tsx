import type { Channel } from '@carillon/contract/channels'
import type { TemplateFamily } from '@carillon/contract/template-families'
import { useState, type ReactNode } from 'react'
import { mayCreateUnified, unifiedCampaignPath } from '../../../channels/campaign-wizards.ts'
import { formatDay } from '../../../lib/format.ts'
import { familyCampaignLink } from '../../../lib/links.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { CampaignWizardPage, type NewCampaign } from '../wizard/campaign-wizard-page.tsx'
import { blankDraft } from '../wizard/draft-legs.ts'
import type { EditedChannels } from '../wizard/use-legs.ts'
import { unifiedKind } from '../wizard/wizard-steps.ts'
import { blankLegs } from './leg-order.ts'

/** The wizard for campaigns over several channels in any order. */
export function UnifiedWizard({ edited }: { edited: EditedChannels }) {
  const [{ familyId: asked }] = useView(familyCampaignLink)
  // The family is left out of the URL once there is a draft.
  const [familyId] = useState(asked)
  return (
    <CampaignWizardPage
      kind={unifiedKind(unifiedCampaignPath)}
      edited={edited}
      title="New unified campaign"
      mayCreate={mayCreateUnified()}
      begin={(_, wizard) =>
        familyId ? (
          <FamilyCampaign id={familyId} edited={edited}>
            {wizard}
          </FamilyCampaign>
        ) : (
          wizard({ blank: () => blankUnified(edited), preselected: {} })
        )
      }
    />
  )
}

type FamilyCampaignProps = {
  id: string
  edited: EditedChannels
  children: (created: NewCampaign) => ReactNode
}

/** Loads the family first: its channels are those of the campaign. */
function FamilyCampaign({ id, edited, children }: FamilyCampaignProps) {
  const read = useApi('families.get', { path: { id } }, { staleTime: Infinity })
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (read.isPending) {
    return (
      <Loading label="Loading the template family">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  return children(ofFamily(read.data, edited))
}

function ofFamily({ name, renditions }: TemplateFamily, edited: EditedChannels): NewCampaign {
  const preselected: Partial<Record<Channel, string>> = {}
  for (const { channel, templateId } of renditions) preselected[channel] = templateId
  const [first, ...others] = edited.filter(({ channel }) => preselected[channel] !== undefined)
  const own: EditedChannels = first ? [first, ...others] : edited
  return { blank: () => ({ ...blankUnified(own), campaignName: name }), preselected }
}

function blankUnified(edited: EditedChannels) {
  return {
    ...blankDraft(edited[0]),
    campaignName: `Unified campaign, ${formatDay(new Date())}`,
    isUnified: true,
    legs: blankLegs(edited),
  }
}
