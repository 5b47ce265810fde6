import type { ManagedUser } from '@carillon/contract/people'
import clsx from 'clsx'
import { useState, type KeyboardEvent } from 'react'
import { countOf, formatMoney } from '../../lib/format.ts'
import { Input } from '../../ui/input.tsx'
import { Missing } from '../../ui/text.tsx'
import { readChange, runwayOf, type Changes } from './transfers.ts'

const step = 500
const low = 1000

type TransferGridProps = { users: readonly ManagedUser[]; changes: Changes; onChanges: (changes: Changes) => void }

const head =
  'h-9 px-3 text-right text-caption font-medium text-muted-foreground border-b border-border first:pl-6 last:pr-6'
const cell = 'h-13 px-3 text-right border-b border-line first:pl-6 last:pr-6'

/** A grid to type into: ↑ ↓ move between rows, with Shift they add and take 500. */
export function TransferGrid({ users, changes, onChanges }: TransferGridProps) {
  return (
    <div className="overflow-x-auto" role="region" aria-label="Transfers" tabIndex={0}>
      <table className="w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums">
        <caption className="sr-only">Balance of each account, and what is to change</caption>
        <thead>
          <tr>
            <th className={`${head} text-left!`}>Account</th>
            <th className={head}>Balance</th>
            <th className={head}>7-day use</th>
            <th className={head}>Lasts</th>
            <th className={head}>Change</th>
            <th className={head}>After</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <GridRow
              key={user._id}
              user={user}
              change={changes[user._id] ?? 0}
              onChange={(change) => onChanges({ ...changes, [user._id]: change })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type GridRowProps = { user: ManagedUser; change: number; onChange: (change: number) => void }

function GridRow({ user, change, onChange }: GridRowProps) {
  const { name, balance = 0, spentLast7Days } = user
  const runway = runwayOf(user)
  const after = balance + change
  return (
    <tr className={clsx('hover:bg-accent', change !== 0 && 'bg-brand-muted')}>
      <th scope="row" className={`${cell} max-w-72 truncate text-left! font-medium`}>
        {name}
      </th>
      <td className={clsx(cell, balance < low && 'text-warning-text')}>{formatMoney(balance)}</td>
      <td className={`${cell} text-muted-foreground`}>{formatMoney(spentLast7Days)}</td>
      <td className={`${cell} text-muted-foreground`}>
        {runway === undefined ? <Missing why="nothing was spent" /> : countOf(runway, 'day')}
      </td>
      <td className={cell}>
        <ChangeInput name={name} change={change} onChange={onChange} />
      </td>
      <td className={clsx(cell, 'font-medium', after < 0 && 'text-danger-text')}>{formatMoney(after)}</td>
    </tr>
  )
}

function ChangeInput({ name, change, onChange }: { name: string; change: number; onChange: (change: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (change === 0 ? '' : `${change > 0 ? '+' : ''}${change.toLocaleString('en-IN')}`)
  const isWrong = typed !== undefined && readChange(typed) === undefined

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    if (event.shiftKey) {
      setTyped(undefined)
      onChange(change + direction * step)
    } else neighbourOf(event.currentTarget, -direction)?.focus()
  }

  return (
    <span className="inline-block w-36">
      <Input
        aria-label={`Change of ${name}, in rupees`}
        size="sm"
        inputMode="decimal"
        autoComplete="off"
        className="[&_input]:text-right"
        data-change
        invalid={isWrong}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value)
          const read = readChange(target.value)
          if (read !== undefined) onChange(read)
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
    </span>
  )
}

/** The field of the row above or below. */
function neighbourOf(field: HTMLInputElement, by: number): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[data-change]')]
  return fields[fields.indexOf(field) + by]
}
