import { useEffect, useMemo, useState } from 'react'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { loadSdk, signUpWithFacebook, type SignUpApp } from './facebook-sign-up.ts'
import { texts } from './texts.ts'

/** Opens Meta's embedded sign-up; if the installation has no Meta app, the button explains why it is unavailable. */
export function ConnectWithFacebook({ onConnected }: { onConnected: () => void }) {
  const settings = useApi('wabas.signUp', {}, { staleTime: 300_000 })
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<string>()
  const onboard = useApiWrite('wabas.onboard', {
    refreshes: ['wabas.list', 'wabas.active'],
    onSuccess: ({ name }) => {
      toast.success(`${name} is signed in`)
      onConnected()
    },
    onError: (error) => setProblem(error.message),
  })
  const { data } = settings
  const app = useMemo(() => appOf(data), [data])
  useEffect(() => {
    // A window opened some time after the click would be blocked, so the SDK must be loaded by then.
    if (app) loadSdk(app).catch(() => {})
  }, [app])

  async function open() {
    if (!app) return
    setProblem(undefined)
    setOpen(true)
    try {
      const outcome = await signUpWithFacebook(app)
      if (outcome.kind === 'failed') setProblem(outcome.message)
      if (outcome.kind === 'left') setProblem(texts.unfinished)
      if (outcome.kind === 'finished') {
        const { kind: _, ...body } = outcome
        onboard.mutate({ body })
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : texts.unfinished)
    } finally {
      setOpen(false)
    }
  }

  const isMissing = settings.data !== undefined && !app
  return (
    <>
      <Button
        variant="primary"
        loading={isOpen || onboard.isPending}
        disabled={!app}
        aria-describedby={isMissing ? 'no-facebook' : undefined}
        onClick={() => void open()}
      >
        {problem && app ? 'Resume with Facebook' : 'Connect with Facebook'}
      </Button>
      {isMissing ? (
        <p id="no-facebook" className="order-last basis-full text-dense text-muted-foreground">
          {texts.noApp}
        </p>
      ) : null}
      {problem ? (
        <div className="order-last basis-full">
          <Notice tone="care">{problem}</Notice>
        </div>
      ) : null}
    </>
  )
}

type Settings = {
  appId: string | null
  configurationId: string | null
  graphVersion: string
  solutionId: string | null
}

function appOf(settings: Settings | undefined): SignUpApp | undefined {
  if (!settings?.appId || !settings.configurationId) return undefined
  const { appId, configurationId, graphVersion, solutionId } = settings
  return { appId, configurationId, graphVersion, solutionId }
}
