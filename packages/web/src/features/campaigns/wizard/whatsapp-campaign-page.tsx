import { mayCall } from '../../../lib/call.ts'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { OpenedDraft } from './opened-draft.tsx'
import { useWizardSession } from './use-wizard-session.ts'
import { whatsappSteps } from './whatsapp-draft-state.ts'
import { WhatsappWizard } from './whatsapp-wizard.tsx'

const view = defineView({ t: choiceParam(whatsappSteps, 'audience'), c: idParam(), m: idParam() })

/** The wizard for a new WhatsApp campaign, perhaps with a template chosen elsewhere (`?m=`), or for the draft that the address names. */
export function WhatsappCampaignPage() {
  const [{ t: step, c: id, m: templateId }, setView] = useView(view)
  const { number, opened, created } = useWizardSession(id, (c) => setView({ c }, { replace: true }))
  const read = useApi(
    'waDrafts.get',
    { path: { id: opened ?? '' } },
    { enabled: opened !== undefined, staleTime: Infinity },
  )
  if (!mayCall('waDrafts.create'))
    return (
      <Page title="New WhatsApp campaign">
        <Denied />
      </Page>
    )
  return (
    <OpenedDraft key={number} id={opened} read={read} wizard="campaigns/whatsapp-campaign-creation">
      {(saved) => (
        <WhatsappWizard
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
