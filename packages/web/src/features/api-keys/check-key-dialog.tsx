import { apiScopeLabels, type ApiScope } from '@carillon/contract/api-scopes'
import { useRef, useState, type FormEvent } from 'react'
import { call, CallError, type CallData } from '../../lib/call.ts'
import { countOf, formatDateTime } from '../../lib/format.ts'
import { Presses } from '../../lib/presses.ts'
import { fieldMessages, unplacedMessage } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { CircleCheck, OctagonX } from 'lucide-react'
import clsx from 'clsx'
import { environmentLabels, problemTexts } from './key-labels.ts'

type Verdict = CallData<'apiKeys.validate'>
type Checked = { verdict: Verdict; last4: string }

// The keys of the table are the scopes.
const scopeOptions = Object.keys(apiScopeLabels) as ApiScope[]

/** Checks a pasted key and answers in place. The key is kept neither here nor in a cache. */
export function CheckKeyDialog({ onClose }: { onClose: () => void }) {
  // Not in a state, which React would keep for a while.
  const field = useRef<HTMLInputElement>(null)
  const [ip, setIp] = useState('')
  const [scope, setScope] = useState<ApiScope | ''>('')
  const [presses] = useState(() => new Presses())
  const { check, checked, error, isChecking } = useCheck()
  const errors = fieldMessages(error)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ''
    const terms = { ...(ip.trim() ? { ip: ip.trim() } : {}), ...(scope ? { scope } : {}) }
    // Only the end of the key, because the guard remembers what it gets.
    const isAnswered = await presses.run({ ...terms, last4: key.slice(-4) }, () => check({ ...terms, key }))
    if (isAnswered) forget()
  }
  function forget() {
    if (field.current) field.current.value = ''
  }
  function close() {
    forget()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      width="medium"
      title="Check a key"
      description="Whether a key would be accepted now. The check is not a use of the key."
      footer={
        <>
          <Button onClick={close}>Close</Button>
          <Button type="submit" form="check-key" variant="primary" loading={isChecking}>
            Check key
          </Button>
        </>
      }
    >
      <form id="check-key" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pb-1">
        <Field label="API key" error={errors['key']} help="It is sent to be checked, and not kept.">
          <Input
            ref={field}
            mono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="carillon_live_…"
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="From address" hint="optional" error={errors['ip']}>
            <Input mono autoComplete="off" value={ip} onChange={({ target }) => setIp(target.value)} />
          </Field>
          <Field label="For scope" hint="optional">
            <Select
              value={scope || 'any'}
              options={[{ value: 'any', label: 'Any' }, ...scopeOptions.map((value) => ({ value, label: value }))]}
              onValueChange={(chosen) => setScope(scopeOptions.find((option) => option === chosen) ?? '')}
            />
          </Field>
        </div>
        <div role="status">{checked ? <Result key={checked.last4} checked={checked} /> : null}</div>
        <FormRefusal text={unplacedMessage(error, Object.keys(errors))} />
      </form>
    </Dialog>
  )
}

type Question = { key: string; ip?: string; scope?: ApiScope }

/** A check changes nothing, and is not cached. */
function useCheck() {
  const [checked, setChecked] = useState<Checked>()
  const [error, setError] = useState<CallError | null>(null)
  const [isChecking, setChecking] = useState(false)

  async function check(question: Question): Promise<boolean> {
    setChecking(true)
    setError(null)
    setChecked(undefined)
    try {
      setChecked({ verdict: await call('apiKeys.validate', { body: question }), last4: question.key.slice(-4) })
      return true
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      setError(failure)
      return false
    } finally {
      setChecking(false)
    }
  }
  return { check, checked, error, isChecking }
}

const good = 'border-[color-mix(in_oklab,var(--success)_35%,transparent)] bg-success-muted'
const bad = 'border-[color-mix(in_oklab,var(--destructive)_25%,transparent)] bg-danger-muted'

/** 'Valid · 3 scopes', or 'Rejected · expired' with what to do. */
function Result({ checked: { verdict, last4 } }: { checked: Checked }) {
  const { valid, reason = 'unknown', scopes = [] } = verdict
  const Icon = valid ? CircleCheck : OctagonX
  return (
    <section aria-label="Result" className={clsx('flex flex-col gap-3 rounded-lg border p-3.5', valid ? good : bad)}>
      <p className={clsx('flex items-center gap-2 font-medium', valid ? 'text-success-text' : 'text-danger-text')}>
        <Icon aria-hidden className="size-4" />
        {valid ? `Valid · ${countOf(scopes.length, 'scope')}` : `Rejected · ${problemTexts[reason].title}`}
        <span className="ml-auto font-mono text-caption font-normal text-foreground">…{last4}</span>
      </p>
      {valid ? null : <p>{problemTexts[reason].text}</p>}
      <KeyFacts verdict={verdict} />
      {scopes.length === 0 ? null : (
        <p className="font-mono text-caption leading-relaxed break-words">{scopes.join(', ')}</p>
      )}
    </section>
  )
}

/** Nothing is known about unknown keys. */
function KeyFacts({ verdict: { environment, account, expiresAt } }: { verdict: Verdict }) {
  if (!environment) return null
  return (
    <Facts
      facts={[
        ['Environment', environmentLabels[environment]],
        ['Account', account?.name],
        ['Expires', expiresAt ? formatDateTime(expiresAt) : 'Never'],
      ]}
    />
  )
}
