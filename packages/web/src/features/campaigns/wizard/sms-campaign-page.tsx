import { mayCall } from '../../../lib/call.ts'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { wizardSteps } from './draft-state.ts'
import { OpenedDraft } from './opened-draft.tsx'
import { SmsWizard } from './sms-wizard.tsx'
import { useWizardSession } from './use-wizard-session.ts'

const view = defineView({ t: choiceParam(wizardSteps, 'audience'), c: idParam(), m: idParam() })

/** The wizard for a new campaign, perhaps with a template chosen elsewhere (`?m=`), or for the draft that the address names. */
export function SmsCampaignPage() {
  const [{ t: step, c: id, m: templateId }, setView] = useView(view)
  const { number, opened, created } = useWizardSession(id, (c) => setView({ c }, { replace: true }))
  const read = useApi(
    'drafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  if (!mayCall('drafts.create'))
    return (
      <Page title="New SMS campaign">
        <Denied />
      </Page>
    )
  return (
    <OpenedDraft key={number} id={opened} read={read} wizard="campaigns/sms-campaign-creation">
      {(saved) => (
        <SmsWizard
          saved={saved}
          templateId={templateId}
          step={step}
          onStep={(next) => setView({ t: next })}
          onCreated={created}
        />
      )}
    </OpenedDraft>
  )
}
