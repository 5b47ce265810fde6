import { useState } from 'react'
import { mayCall, type CallData } from '../../../lib/call.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioGroup } from '../../../ui/radio.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'

/** The partner solution under which new WhatsApp accounts sign up: admins choose it, resellers see it. */
export function WhatsappSection() {
  const selection = useApi('wabas.solution', {})
  return (
    <Region read={selection} label="the WhatsApp settings" lines={4}>
      {(data) =>
        mayCall('wabas.chooseSolution') ? <Choice key={data.solutionId} selection={data} /> : <Shown selection={data} />
      }
    </Region>
  )
}

type SelectionProps = { selection: CallData<'wabas.solution'> }

const none = 'none'

function Choice({ selection: { solutionId, solutions } }: SelectionProps) {
  const current = solutionId ?? none
  const [chosen, setChosen] = useState(current)
  const [isAsking, setAsking] = useState(false)
  const save = useApiWrite('wabas.chooseSolution', {
    refreshes: ['wabas.solution', 'wabas.signUp'],
    onSuccess: () => {
      setAsking(false)
      toast.success('New accounts use this sign-up from now on')
    },
    onError: ({ message }) => toast.error(message),
  })
  if (solutions.length === 0)
    return (
      <Notice tone="info">
        Accounts sign up with Meta directly. Solutions of partners appear here once they are listed in META_SOLUTIONS.
      </Notice>
    )
  return (
    <section aria-label="Partner solution" className="flex flex-col gap-4">
      <div>
        <h2 className="text-section font-semibold">Partner solution</h2>
        <p className="text-muted-foreground">
          The partner of Meta with whom customers’ accounts are shared when they sign up.
        </p>
      </div>
      <RadioGroup
        label="Solution"
        value={chosen}
        onValueChange={setChosen}
        choices={[
          { value: none, label: 'None', help: 'Each account has an agreement of its own with Meta' },
          ...solutions.map(({ solutionId: value, name, provider }) => ({
            value,
            label: name,
            help: `${provider} · ${value}`,
          })),
        ]}
      />
      <div>
        <Button variant="primary" disabled={chosen === current} onClick={() => setAsking(true)}>
          Change solution
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Sign up with ${nameOf(solutions, chosen)}?`}
        description="It applies to every organisation of this installation that connects WhatsApp from now on. Connected accounts stay as they are."
        action="Change solution"
        loading={save.isPending}
        onConfirm={() => save.mutate({ body: { solutionId: chosen === none ? null : chosen } })}
      />
    </section>
  )
}

function Shown({ selection: { solutionId, solutions } }: SelectionProps) {
  return (
    <Notice tone="info">
      {solutionId
        ? `Your customers’ WhatsApp accounts sign up with ${nameOf(solutions, solutionId)}.`
        : 'Your customers’ WhatsApp accounts sign up with Meta directly.'}{' '}
      The administrator of this installation sets this.
    </Notice>
  )
}

function nameOf(solutions: SelectionProps['selection']['solutions'], id: string): string {
  return solutions.find(({ solutionId }) => solutionId === id)?.name ?? 'Meta directly'
}
