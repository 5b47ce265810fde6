import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { defineWizardView, useWizardPlace, WizardPage } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { whatsappSteps } from './whatsapp-draft-state.ts'
import { WhatsappWizard } from './whatsapp-wizard.tsx'

const view = defineWizardView(whatsappSteps)

export function WhatsappCampaignPage() {
  const place = useWizardPlace(view)
  const { opened } = place
  const read = useApi(
    'waDrafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  return (
    <WizardPage
      title="New WhatsApp campaign"
      path="campaigns/whatsapp-campaign-creation"
      mayCreate={mayCall('waDrafts.create')}
      place={place}
      read={read}
    >
      {(props) => <WhatsappWizard {...props} />}
    </WizardPage>
  )
}
