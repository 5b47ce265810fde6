import type { ManagedUser } from '@carillon/contract/users'
import clsx from 'clsx'
import { ArrowRight, TriangleAlert } from 'lucide-react'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { useIsMobile } from '../../lib/use-is-mobile.ts'
import { Missing } from '../text.tsx'
import { ChangeInput } from './change-input.tsx'
import { runwayOf, type Changes } from './transfers.ts'

const low = 1000
/** Runway in days that counts as comfortable, and as urgent. */
const calm = 7
const urgent = 2
const longest = 30

type TransferGridProps = { users: readonly ManagedUser[]; changes: Changes; onChanges: (changes: Changes) => void }

/** An editable grid; cards on phones. */
export function TransferGrid({ users, changes, onChanges }: TransferGridProps) {
  const isMobile = useIsMobile()
  const rows = users.map((user) => ({
    user,
    change: changes[user._id] ?? 0,
    onChange: (change: number) => onChanges({ ...changes, [user._id]: change }),
  }))
  return isMobile ? (
    <ul aria-label="Transfers" className="border-t border-border">
      {rows.map((row) => (
        <GridCard key={row.user._id} {...row} />
      ))}
    </ul>
  ) : (
    <Grid rows={rows} />
  )
}

type RowProps = { user: ManagedUser; change: number; onChange: (change: number) => void }

const edge = 'first:pl-6 last:pr-6'
const head = `h-9 border-y border-border bg-background px-3 text-right text-caption font-medium text-muted-foreground ${edge}`
const cell = `h-11 border-b border-line px-3 text-right ${edge}`
const changed =
  '[&>*]:bg-[color-mix(in_oklab,var(--brand-muted)_55%,var(--background))] [&>:first-child]:shadow-[inset_2px_0_0_var(--brand)]'

function Grid({ rows }: { rows: readonly RowProps[] }) {
  return (
    <div className="relative overflow-x-auto" role="region" aria-label="Transfers" tabIndex={0}>
      <table className="w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums">
        <caption className="sr-only">Balance and change of each account</caption>
        <thead>
          <tr>
            <th className={`${head} text-left!`}>Account</th>
            <th className={head}>Balance, ₹</th>
            <th className={`${head} normal-nums max-xl:hidden`}>7-day use, ₹</th>
            <th className={`${head} pl-8! text-left!`} aria-sort="ascending">
              Runway
            </th>
            <th className={head}>Change, ₹</th>
            <th className={head}>After, ₹</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <GridRow key={row.user._id} {...row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function GridRow({ user, change, onChange }: RowProps) {
  const { name, balance = 0, spentLast7Days } = user
  const after = balance + change
  return (
    <tr className={change === 0 ? 'hover:bg-accent' : changed}>
      <th scope="row" className={`${cell} max-w-72 truncate text-left! font-medium`}>
        {name}
      </th>
      <td className={cell}>
        {balance < low ? <TriangleAlert aria-label="low" className="mr-1 inline size-4 text-warning-text" /> : null}
        {plain(balance)}
      </td>
      <td className={`${cell} max-xl:hidden`}>{plain(spentLast7Days)}</td>
      <td className={`${cell} pl-8! text-left!`}>
        <span className="flex items-center gap-3">
          <span className="min-w-28 flex-1">
            <Runway user={user} change={change} />
          </span>
          <RunwayBar user={user} change={change} />
        </span>
      </td>
      <td className={cell}>
        <ChangeInput name={name} change={change} onChange={onChange} />
      </td>
      <td
        className={clsx(cell, change === 0 ? 'text-muted-foreground' : 'font-medium', after < 0 && 'text-danger-text')}
      >
        {plain(after)}
      </td>
    </tr>
  )
}

function GridCard({ user, change, onChange }: RowProps) {
  const { name, balance = 0 } = user
  const after = balance + change
  return (
    <li
      className={clsx(
        'border-b border-line px-4 pt-2.5 pb-3 tabular-nums',
        change !== 0 &&
          'bg-[color-mix(in_oklab,var(--brand-muted)_55%,var(--background))] shadow-[inset_2px_0_0_var(--brand)]',
      )}
    >
      <div className="flex items-center justify-between gap-3">
        <b className="min-w-0 truncate font-medium">{name}</b>
        <span className="text-dense whitespace-nowrap">
          <span className="mr-1.5 text-muted-foreground">Runway</span>
          <Runway user={user} change={change} />
        </span>
      </div>
      <div className="mt-1.5 flex items-center justify-between gap-3">
        <span className="leading-4.5">
          {change === 0 ? null : (
            <s className="block text-caption text-muted-foreground">
              <span className="sr-only">before </span>
              {formatMoney(balance)}
            </s>
          )}
          <b className={clsx('font-medium', after < 0 && 'text-danger-text')}>{formatMoney(after)}</b>
        </span>
        <ChangeInput name={name} change={change} onChange={onChange} />
      </div>
    </li>
  )
}

/** Remaining days now and after the change. */
function Runway({ user, change }: { user: ManagedUser; change: number }) {
  const days = runwayOf(user)
  if (days === undefined) return <Missing why="nothing was spent" />
  const after = runwayOf({ ...user, balance: Math.max(0, (user.balance ?? 0) + change) })
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <span className={days < urgent ? 'text-danger-text' : days < calm ? 'text-warning-text' : undefined}>
        {formatCount(days)} d
      </span>
      {change === 0 || after === undefined ? null : (
        <>
          <ArrowRight aria-label="becomes" className="size-3 self-center text-muted-foreground" />
          <b className="font-medium">{formatCount(after)} d</b>
        </>
      )}
    </span>
  )
}

function RunwayBar({ user, change }: { user: ManagedUser; change: number }) {
  const days = runwayOf(user)
  if (days === undefined) return null
  const after = runwayOf({ ...user, balance: Math.max(0, (user.balance ?? 0) + change) }) ?? days
  const share = (value: number) => `${Math.min(100, (value / longest) * 100)}%`
  return (
    <span aria-hidden className="relative h-1 w-14 shrink-0 overflow-hidden rounded-full bg-track max-xl:hidden">
      <i className="absolute inset-y-0 left-0 bg-brand/55" style={{ width: share(after) }} />
      <i
        className={clsx(
          'absolute inset-y-0 left-0',
          days < urgent ? 'bg-destructive' : days < calm ? 'bg-warning' : 'bg-muted-foreground',
        )}
        style={{ width: share(Math.min(days, after)) }}
      />
    </span>
  )
}

/** The column header names the currency. */
function plain(rupees: number): string {
  return formatMoney(rupees).replace('₹', '')
}
