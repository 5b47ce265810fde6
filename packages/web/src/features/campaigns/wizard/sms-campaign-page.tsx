import { CircleCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { wizardSteps } from './draft-state.ts'
import { SmsWizard } from './sms-wizard.tsx'

const view = defineView({ t: choiceParam(wizardSteps, 'audience'), c: idParam(), m: idParam() })

/** The wizard for a new campaign, perhaps with a template chosen elsewhere (`?m=`), or for the draft that the address names. */
export function SmsCampaignPage() {
  const [{ t: step, c: id, m: templateId }, setView] = useView(view)
  // A draft made by the open wizard gets its id into the address without the wizard beginning anew.
  const [session, setSession] = useState({ number: 0, opened: id, created: undefined as string | undefined })
  if (session.created !== undefined && id === session.created && session.opened !== id)
    setSession({ ...session, opened: id })
  else if (id !== session.opened && id !== session.created) {
    setSession({ number: session.number + 1, opened: id, created: undefined })
  }
  if (!mayCall('drafts.create')) return <Denied />

  const onCreated = (created: string) => {
    setSession((current) => ({ ...current, created }))
    setView({ c: created }, { replace: true })
  }
  const isOwn = session.created !== undefined && session.created === session.opened
  return (
    <SavedWizard key={session.number} id={isOwn ? undefined : session.opened}>
      {(saved) => (
        <SmsWizard
          saved={saved}
          templateId={templateId}
          step={step}
          onStep={(next) => setView({ t: next })}
          onCreated={onCreated}
        />
      )}
    </SavedWizard>
  )
}

type SavedWizardProps = {
  id: string | undefined
  children: (saved: ReturnType<typeof useSavedDraft>['data']) => ReactNode
}

function useSavedDraft(id: string | undefined) {
  return useApi('drafts.get', { path: { id: id ?? '' } }, { enabled: id !== undefined, staleTime: Infinity })
}

/** Loads the draft first, and refuses one that is a campaign on its way by now. */
function SavedWizard({ id, children }: SavedWizardProps) {
  const saved = useSavedDraft(id)
  if (id === undefined) return children(undefined)
  if (saved.isError) return <Failure error={saved.error} onRetry={() => void saved.refetch()} />
  if (saved.isPending) {
    return (
      <Loading label="Loading the draft">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (!['draft', 'ready', 'failed'].includes(saved.data.status)) return <Started id={id} />
  return children(saved.data)
}

function Started({ id }: { id: string }) {
  return (
    <Empty
      icon={CircleCheck}
      title="This campaign has been started"
      actions={
        <>
          <Button asChild variant="primary">
            <AreaLink to="campaigns" search={{ c: id }}>
              Open the campaign
            </AreaLink>
          </Button>
          <Button asChild>
            <AreaLink to="campaigns/sms-campaign-creation">New campaign</AreaLink>
          </Button>
        </>
      }
    >
      What is on its way cannot be edited any more.
    </Empty>
  )
}
