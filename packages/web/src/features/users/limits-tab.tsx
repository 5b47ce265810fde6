import type { AccountLimit, ManagedUser } from '@carillon/contract/users'
import { useId, useState, type FormEvent } from 'react'
import { formatCount, formatMoneyInProse } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'

/** Limits of an account and everyone below it; empty means the limit of the account above. */
export function LimitsTab({ user }: { user: ManagedUser }) {
  const limits = useApi('limits.list', { query: { userId: user._id } })
  return (
    <Region read={limits} label="the limits" lines={6}>
      {(data) => <LimitsForm key={user._id} user={user} limits={data.limits} />}
    </Region>
  )
}

function LimitsForm({ user, limits }: { user: ManagedUser; limits: readonly AccountLimit[] }) {
  const [texts, setTexts] = useState<Record<string, string>>({})
  const save = useApiWrite('limits.set', {
    refreshes: ['limits.list'],
    onSuccess() {
      setTexts({})
      toast.success(`Limits of ${user.name} saved`)
    },
  })
  const changed = limits.filter(({ key }) => texts[key] !== undefined)
  const wrong = changed.some(({ key }) => !isLimit(texts[key] ?? ''))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (wrong || changed.length === 0) return
    save.mutate({
      body: {
        userId: user._id,
        limits: changed.map(({ key }) => ({ key, limit: texts[key] === '' ? null : Number(texts[key]) })),
      },
    })
  }

  return (
    <form onSubmit={submit} className="flex flex-col px-5 py-2">
      {limits.map((limit) => (
        <LimitRow
          key={limit.key}
          limit={limit}
          text={texts[limit.key] ?? (limit.isOwn && limit.limit !== null ? String(limit.limit) : '')}
          onText={(text) => setTexts({ ...texts, [limit.key]: text.replaceAll(/[\s,]/g, '') })}
        />
      ))}
      {save.error ? <Notice tone="bad">{save.error.message}</Notice> : null}
      {changed.length > 0 ? (
        <div className="sticky bottom-0 -mx-5 flex justify-end gap-2 border-t border-border bg-card px-5 py-3 dark:bg-popover">
          <Button onClick={() => setTexts({})}>Undo changes</Button>
          <Button type="submit" variant="primary" loading={save.isPending}>
            Save limits
          </Button>
        </div>
      ) : null}
    </form>
  )
}

type LimitRowProps = { limit: AccountLimit; text: string; onText: (text: string) => void }

function LimitRow({ limit: { label, unit, limit, maximum, used }, text, onText }: LimitRowProps) {
  const messageId = useId()
  const isWrong = !isLimit(text)
  const full = limit !== null && limit > 0 ? (used / limit) * 100 : 0
  return (
    <div className="grid grid-cols-[1fr_9rem] items-center gap-x-4 border-b border-line py-2.5 last:border-0">
      <div className="min-w-0">
        <p className="font-medium">{label}</p>
        <p className="text-caption text-muted-foreground tabular-nums">
          {limit === null
            ? `${amountOf(used, unit)} used, no limit`
            : `${amountOf(used, unit)} of ${amountOf(limit, unit)}`}
        </p>
        {limit === null ? null : (
          <Progress
            percent={Math.min(100, full)}
            label={label}
            tone={full >= 80 ? 'care' : 'brand'}
            className="mt-1.5 w-full"
          />
        )}
      </div>
      <Input
        aria-label={`Limit: ${label}`}
        invalid={isWrong}
        aria-describedby={isWrong ? messageId : undefined}
        size="sm"
        inputMode="numeric"
        autoComplete="off"
        placeholder={maximum === null ? 'no limit' : `${amountOf(maximum, unit)} from above`}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      {isWrong ? (
        <div className="col-start-2 pt-1">
          <FieldMessage id={messageId} text="Enter a whole number" />
        </div>
      ) : null}
    </div>
  )
}

function isLimit(text: string): boolean {
  return /^\d{0,12}$/.test(text)
}

/** Counts need no unit, because the label names it; money and sizes have one. */
function amountOf(value: number, unit: string): string {
  if (unit === 'rupees') return formatMoneyInProse(value)
  return unit === 'MB' ? `${formatCount(value)} MB` : formatCount(value)
}
