import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { defineWizardView, useWizardPlace, WizardPage } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { smsSteps } from './sms-draft-state.ts'
import { SmsWizard } from './sms-wizard.tsx'

const view = defineWizardView(smsSteps)

export function SmsCampaignPage() {
  const place = useWizardPlace(view)
  const { opened } = place
  const read = useApi(
    'drafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  return (
    <WizardPage
      title="New SMS campaign"
      path="campaigns/sms-campaign-creation"
      mayCreate={mayCall('drafts.create')}
      place={place}
      read={read}
    >
      {(props) => <SmsWizard {...props} />}
    </WizardPage>
  )
}
