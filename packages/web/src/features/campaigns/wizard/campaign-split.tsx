import type { Estimate } from '@carillon/contract/campaign-drafts'
import { spreadRupees } from '@carillon/contract/money'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { countOf, formatCount, formatMoney, formatShare } from '../../../lib/format.ts'
import { letterOfLeg } from '../ab-tests/variant-legs.ts'
import { figureLinkClass } from '../../../ui/link-class.ts'
import type { ShownGroup } from './draft-recipients-sheet.tsx'
import { LegName, SplitBar } from './split-bar.tsx'

type SplitEstimate = Pick<Estimate, 'legs' | 'range' | 'excluded' | 'people' | 'rest' | 'heldOut'>

const bases: Record<Estimate['legs'][number]['basis'], string> = {
  history: 'from the last 30 days',
  reach: 'from the reach check',
  assumed: 'if everyone gets it',
}

type CampaignSplitProps = {
  estimate: SplitEstimate
  /** Lists the people of a number; absent: the numbers are plain text. */
  onList?: ((shown: ShownGroup, figure: number) => void) | undefined
}

/** People and cost that each channel is expected to have, and the range of the cost. */
export function CampaignSplit({ estimate, onList }: CampaignSplitProps) {
  const { legs, range, excluded, people, rest, heldOut } = estimate
  const ofLegs = legs.map(({ expectedCost }) => expectedCost)
  const ofRest = Math.max(0, range.expected - ofLegs.reduce((sum, cost) => sum + cost, 0))
  const costs = spreadRupees(rest > 0 ? [...ofLegs, ofRest] : ofLegs, range.expected)
  return (
    <section aria-labelledby="split-title">
      <h2 id="split-title" className="mb-1 min-h-8 text-section font-semibold">
        Expected split
      </h2>
      <SplitBar
        label={letterOfLeg(0, legs) ? 'Expected deliveries by message' : 'Expected deliveries by channel'}
        total={people}
        parts={partsOf(estimate)}
      />
      <ol className="mt-2 border-t border-border tabular-nums">
        {legs.map((leg, index) => (
          <li key={leg.leg} className="flex items-start justify-between gap-3 border-b border-line py-2 last:border-0">
            <div className="min-w-0">
              <LegName {...leg} letter={letterOfLeg(leg.leg, legs)} />
              <p className="mt-0.5 text-caption text-muted-foreground">
                <SentTo leg={leg} letter={letterOfLeg(leg.leg, legs)} onList={onList} /> · {bases[leg.basis]}
              </p>
            </div>
            <div className="shrink-0 text-right">
              <p className="font-medium">
                {formatCount(leg.expectedDelivered)}{' '}
                <span className="font-normal text-muted-foreground">{formatShare(leg.expectedDelivered, people)}</span>
              </p>
              <p className="text-dense text-muted-foreground">{formatMoney(costs[index] ?? leg.expectedCost)}</p>
            </div>
          </li>
        ))}
        {rest > 0 ? <Rest people={rest} cost={costs[legs.length] ?? 0} onList={onList} /> : null}
      </ol>
      {excluded > 0 ? (
        <p className="border-b border-line pb-2 text-dense text-muted-foreground">
          <Figure
            text={`${countOf(excluded, 'person gets', 'people get')} no message`}
            hint="list them"
            onList={onList && (() => onList({ group: 'excluded' }, excluded))}
          />
          : {whyExcluded({ excluded, heldOut })}.
        </p>
      ) : null}
      <CostRange range={range} />
    </section>
  )
}

/** Deliveries of each leg, then the people who get the winner of a test. */
function partsOf({ legs, rest }: SplitEstimate) {
  const parts = legs.map(({ leg, channel, expectedDelivered }) => {
    const letter = letterOfLeg(leg, legs)
    return { channel, people: expectedDelivered, ...(letter ? { name: `Message ${letter}` } : {}) }
  })
  const [first] = legs
  return first && rest > 0 ? [...parts, { channel: first.channel, people: rest, name: 'Winner', isFaint: true }] : parts
}

function whyExcluded({ excluded, heldOut }: Pick<Estimate, 'excluded' | 'heldOut'>): string {
  const others = 'opted out, without a value, or not reachable'
  if (heldOut === 0) return others
  return heldOut === excluded
    ? 'the control group'
    : `${formatCount(heldOut)} in the control group, the others ${others}`
}

type RestProps = { people: number; cost: number; onList: CampaignSplitProps['onList'] }

/** The people who get the winner of a test. */
function Rest({ people, cost, onList }: RestProps) {
  return (
    <li className="flex items-start justify-between gap-3 py-2">
      <div className="min-w-0">
        <p className="font-medium">
          <Figure
            text={countOf(people, 'person gets the winner', 'people get the winner')}
            hint="list them"
            onList={onList && (() => onList({ group: 'rest' }, people))}
          />
        </p>
        <p className="mt-0.5 text-caption text-muted-foreground">Cost if it is message A</p>
      </div>
      <p className="shrink-0 text-dense text-muted-foreground">{formatMoney(cost)}</p>
    </li>
  )
}

type SentToProps = { leg: Estimate['legs'][number]; letter: string | undefined; onList: CampaignSplitProps['onList'] }

/** How many begin with the leg, and how many are expected to fail over to it, which no one can list yet. */
function SentTo({ leg: { leg, channel, starters, expectedPeople }, letter, onList }: SentToProps) {
  const later = Math.max(0, expectedPeople - starters)
  if (starters === 0) return `${formatCount(later)} fall back to it`
  const list = onList && (() => onList({ group: 'leg', leg, channel, letter }, starters))
  const isListed = letter ? `message ${letter}` : channelLabel(channel)
  return (
    <>
      <Figure
        text={later > 0 ? `${formatCount(starters)} begin with it` : `Sent to ${formatCount(starters)}`}
        hint={`list those who begin with ${isListed}`}
        onList={list}
      />
      {later > 0 ? `, ${formatCount(later)} fall back to it` : ''}
    </>
  )
}

type FigureProps = { text: string; hint: string; onList: (() => void) | undefined }

/** A number of people that lists them. */
function Figure({ text, hint, onList }: FigureProps) {
  if (!onList) return text
  return (
    <button type="button" aria-label={`${text}: ${hint}`} className={`tap-around ${figureLinkClass}`} onClick={onList}>
      {text}
    </button>
  )
}

/** The amounts between which the cost lies. */
function CostRange({ range: { minimum, reachedFrom, reachedTo, expected, maximum } }: Pick<Estimate, 'range'>) {
  const everyone =
    formatMoney(reachedFrom) === formatMoney(reachedTo)
      ? formatMoney(reachedFrom)
      : `${formatMoney(reachedFrom)} to ${formatMoney(reachedTo)}`
  return (
    <dl className="border-y border-border tabular-nums">
      <Amount label="Minimum, if no message is accepted" value={formatMoney(minimum)} />
      <Amount label="If everyone is reached once" value={everyone} />
      <Amount label="Expected" value={formatMoney(expected)} isMain />
      <Amount label="Maximum, held until the end" value={formatMoney(maximum)} />
    </dl>
  )
}

function Amount({ label, value, isMain = false }: { label: string; value: string; isMain?: boolean }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-b border-line last:border-0">
      <dt className="min-w-0 text-dense text-muted-foreground">{label}</dt>
      <dd className={isMain ? 'text-right font-semibold' : 'text-right'}>{value}</dd>
    </div>
  )
}
