import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CreateAgentForm } from './create-agent-form.tsx'
import { InviteAgentForm } from './invite-agent-form.tsx'

type Result =
  | { kind: 'invited'; agent: CallData<'agents.invite'> }
  | { kind: 'created'; agent: CallData<'agents.create'>; username: string | undefined }

type AddAgentSheetProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** A new agent: invited by email, or created at once. */
export function AddAgentSheet({ open, onOpenChange }: AddAgentSheetProps) {
  const [tab, setTab] = useState<'invite' | 'create'>('invite')
  const [result, setResult] = useState<Result>()
  function close() {
    setResult(undefined)
    onOpenChange(false)
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="New agent"
      footer={
        result ? (
          <Button variant="primary" className="ml-auto" onClick={close}>
            Done
          </Button>
        ) : (
          <Button type="submit" form="add-agent" variant="primary" className="ml-auto">
            {tab === 'invite' ? 'Send invitation' : 'Create agent'}
          </Button>
        )
      }
    >
      {result ? (
        <Outcome result={result} />
      ) : (
        <Tabs
          label="How to add the agent"
          inset="sheet"
          value={tab}
          onValueChange={setTab}
          items={[
            { value: 'invite', label: 'Invite' },
            { value: 'create', label: 'Create' },
          ]}
        >
          {tab === 'invite' ? (
            <InviteAgentForm onInvited={(agent) => setResult({ kind: 'invited', agent })} />
          ) : (
            <CreateAgentForm onCreated={(agent, username) => setResult({ kind: 'created', agent, username })} />
          )}
        </Tabs>
      )}
    </Sheet>
  )
}

/** A link or one-time password is shown only here. */
function Outcome({ result }: { result: Result }) {
  const { agent } = result
  if (result.kind === 'invited')
    return (
      <div className="flex flex-col gap-4 p-5">
        <Notice tone="info">
          {result.agent.link ? (
            <span className="flex min-w-0 flex-col gap-1">
              Email isn’t configured. Share this link with {agent.name}; it works once.
              <Copyable text={result.agent.link} label="Copy the link" />
            </span>
          ) : (
            `We emailed an invitation to ${agent.email}. ${agent.name} becomes an agent once it is accepted.`
          )}
        </Notice>
      </div>
    )
  const { temporaryPassword } = result.agent
  if (temporaryPassword === undefined)
    return (
      <div className="p-5">
        <Notice tone="info">{agent.name} is an agent now.</Notice>
      </div>
    )
  return (
    <div className="flex flex-col gap-4 p-5">
      <Notice tone="info">{agent.name} was created. Hand over the password; it is shown only now.</Notice>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 [&_dt]:text-muted-foreground">
        <dt>{result.username ? 'Username' : 'Email'}</dt>
        <dd>{result.username ?? agent.email}</dd>
        <dt>One-time password</dt>
        <dd>
          <Copyable text={temporaryPassword} label="Copy the password" />
        </dd>
      </dl>
      <p className="text-muted-foreground">It must be changed at the first login.</p>
    </div>
  )
}
