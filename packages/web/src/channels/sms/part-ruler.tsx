import { countSmsParts, type SmsParts } from '@carillon/contract/channels/sms/sms-parts'
import clsx from 'clsx'
import { TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import { countOf, formatCount, formatUnitPrice } from '../../lib/format.ts'
import { isInOtherScript } from './other-script.ts'
import { countAfterFix } from './sms-fix.ts'
import { Button } from '../../ui/button.tsx'

type PartRulerProps = {
  /** The message as sent, with samples for variables. */
  text: string
  pricePerPart?: number | null | undefined
  /** Replaces the characters that force Unicode; see `replaceOffenders`. */
  onFix?: () => void
}

/** Length of the message in parts, drawn to scale; and its length without the characters that force Unicode. */
export function PartRuler({ text, pricePerPart, onFix }: PartRulerProps) {
  const shown = useDeferredValue(text)
  const now = countSmsParts(shown)
  const fixed = countAfterFix(shown, now)
  // Both rows share one scale, so a Unicode part is shorter than a GSM-7 part.
  const scale = Math.max(lengthOf(now), fixed ? lengthOf(fixed) : 0)

  return (
    <div className="border-t border-line">
      {now.offenders.length > 0 && !isInOtherScript(shown) ? (
        <OffenderNotice now={now} fixed={fixed} pricePerPart={pricePerPart} {...(onFix ? { onFix } : {})} />
      ) : null}
      <div className="flex flex-col gap-1.5 bg-[color-mix(in_oklab,var(--muted)_55%,var(--card))] px-3.5 pt-2.5 pb-3">
        <Lane title="As written" count={now} scale={scale} pricePerPart={pricePerPart} />
        {fixed ? <Lane title="After the fix" count={fixed} scale={scale} pricePerPart={pricePerPart} /> : null}
      </div>
    </div>
  )
}

function lengthOf({ parts, unitsPerPart }: SmsParts): number {
  return parts * unitsPerPart
}

type LaneProps = { title: string; count: SmsParts; scale: number; pricePerPart: number | null | undefined }

function Lane({ title, count, scale, pricePerPart }: LaneProps) {
  const { encoding, units, parts, unitsPerPart } = count
  const alphabet = encoding === 'gsm7' ? 'GSM-7' : 'Unicode'
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)_184px] items-center gap-3.5 text-dense tabular-nums max-md:grid-cols-1 max-md:gap-1">
      <div>
        <b className="block">{title}</b>
        <small className="block text-caption text-muted-foreground">
          {alphabet}, {unitsPerPart} {parts === 1 ? 'in one' : 'a part'}
        </small>
      </div>
      <Bars count={count} scale={scale} />
      <div className="grid grid-cols-[1fr_auto_56px] gap-2.5 text-right whitespace-nowrap max-md:grid-cols-[auto_auto_1fr]">
        <span className="text-muted-foreground">
          {parts === 1 ? `${formatCount(units)}/${unitsPerPart}` : formatCount(units)}
        </span>
        <span className="text-muted-foreground">{countOf(parts, 'part')}</span>
        <b className="font-semibold">{pricePerPart ? formatUnitPrice(pricePerPart * parts) : ''}</b>
      </div>
    </div>
  )
}

/** One bar per part, filled up to the text's end. */
function Bars({ count, scale }: { count: SmsParts; scale: number }) {
  const { units, parts, unitsPerPart } = count
  return (
    <div aria-hidden className="flex h-6 items-center gap-0.5">
      {Array.from({ length: parts }, (_, index) => {
        const filled = Math.min(1, Math.max(0, (units - index * unitsPerPart) / unitsPerPart))
        return (
          <span
            key={index}
            className="relative h-2 rounded-[2px] bg-[color-mix(in_oklab,var(--foreground)_9%,var(--card))]"
            style={{ width: `${(unitsPerPart / scale) * 100}%` }}
          >
            <span
              className={clsx(
                'absolute inset-y-0 left-0 rounded-[2px]',
                index === 0 ? 'bg-[color-mix(in_oklab,var(--foreground)_62%,var(--card))]' : 'bg-warning',
              )}
              style={{ width: `${filled * 100}%` }}
            />
            {index < parts - 1 || parts === 1 ? (
              <span className="absolute top-3 right-0 translate-x-1/2 text-[11px] leading-3 text-muted-foreground max-md:translate-x-0">
                {unitsPerPart * (index + 1)}
              </span>
            ) : null}
          </span>
        )
      })}
    </div>
  )
}

type OffenderNoticeProps = {
  now: SmsParts
  fixed: SmsParts | undefined
  pricePerPart: number | null | undefined
  onFix?: () => void
}

function OffenderNotice({ now, fixed, pricePerPart, onFix }: OffenderNoticeProps) {
  const [first] = now.offenders
  if (!first) return null
  const saved = fixed ? now.parts - fixed.parts : 0
  const replaceable = now.offenders.filter(({ replacement }) => replacement !== undefined)
  return (
    <div
      role="status"
      className="flex items-center gap-2 border-b border-[color-mix(in_oklab,var(--warning)_30%,transparent)] bg-warning-muted py-2 pr-2 pl-3.5 text-dense text-warning-text"
    >
      <TriangleAlert aria-hidden className="size-4" />
      <p className="min-w-0 flex-1">
        {nameOf(now, first)} makes this Unicode:{' '}
        <b className="font-semibold">
          {countOf(now.parts, 'part')}
          {saved > 0 && pricePerPart ? `, +${formatUnitPrice(saved * pricePerPart)} each` : ''}
        </b>
      </p>
      {onFix && replaceable.length > 0 ? (
        <Button size="tool" className="text-foreground" onClick={onFix}>
          {replaceable.length === 1 && now.offenders.length === 1
            ? `Replace with ${replaceable[0]?.replacement}`
            : `Replace ${formatCount(replaceable.length)}`}
        </Button>
      ) : null}
    </div>
  )
}

function nameOf({ offenders }: SmsParts, { character, index }: { character: string; index: number }): string {
  const place = `${character} at character ${index + 1}`
  return offenders.length === 1
    ? `The ${place}`
    : `The ${place}, with ${countOf(offenders.length - 1, 'more', 'more')},`
}
