import { timeToLiveRanges } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { WhatsappCategory } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { ReactNode } from 'react'
import { categoryHints, categoryLabels } from '../template-labels.tsx'
import { useWhatsappPrice } from '../use-whatsapp-price.ts'
import { formatUnitPrice } from '../../../lib/format.ts'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Variant, WhatsappForm } from './form.ts'
import { isFiled, isNamed } from './form.ts'
import type { Problems } from '../../parts/templates/problems.tsx'

type BasicsProps = {
  form: WhatsappForm
  variant: Variant
  wabas: readonly { waba_id: string; name: string }[]
  problems: Problems
  onChange: (patch: Partial<WhatsappForm>) => void
  onCategory: (category: WhatsappCategory) => void
}

/** Account, name and category of the template. */
export function WhatsappBasics({ form, variant, wabas, problems, onChange, onCategory }: BasicsProps) {
  const named = form.variants.some(isNamed)
  const filed = form.variants.some(isFiled)
  const known = wabas.some(({ waba_id }) => waba_id === form.waba_id)
  const options = wabas.map(({ waba_id, name }) => ({ value: waba_id, label: name }))
  return (
    <div data-section="basics" className="flex scroll-mt-16 flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <div data-field="waba_id">
          <Field label="WhatsApp account" error={problems('waba_id')}>
            <Select
              name="waba_id"
              placeholder="Choose an account"
              value={form.waba_id}
              disabled={named}
              onValueChange={(waba_id) => onChange({ waba_id })}
              options={
                known || form.waba_id === '' ? options : [...options, { value: form.waba_id, label: form.waba_id }]
              }
            />
          </Field>
        </div>
        <div data-field="name">
          <Field label="Name" error={problems('name')} aside={named ? 'cannot be changed' : 'a–z, digits and _'}>
            <Input
              mono
              name="name"
              autoComplete="off"
              spellCheck={false}
              maxLength={512}
              disabled={named}
              placeholder="diwali_early_access"
              value={form.name}
              onChange={(event) => onChange({ name: nameOf(event.target.value) })}
            />
          </Field>
        </div>
      </div>
      <CategoryChoice form={form} isFixed={filed} problem={problems('category')} onCategory={onCategory} />
      {isNamed(variant) ? null : <VariableChoice form={form} onChange={onChange} />}
    </div>
  )
}

/** Normalises the name while typing: spaces and capitals are converted. */
function nameOf(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]+/g, '_')
}

const categories = (['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const).map((value) => ({
  value,
  label: categoryLabels[value],
}))

type CategoryChoiceProps = {
  form: WhatsappForm
  isFixed: boolean
  problem: string | undefined
  onCategory: (category: WhatsappCategory) => void
}

function CategoryChoice({ form, isFixed, problem, onCategory }: CategoryChoiceProps) {
  const price = useWhatsappPrice(form.category)
  const priceLabel = price === undefined ? '' : price === null ? 'Rate not set' : `${formatUnitPrice(price)} each`
  return (
    <div className="flex flex-col gap-1.5" data-field="category">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">Category</span>
        <span className="text-caption text-muted-foreground tabular-nums">{priceLabel}</span>
      </div>
      {isFixed ? (
        <p>{categoryLabels[form.category]}</p>
      ) : (
        <Segmented label="Category" fill value={form.category} onValueChange={onCategory} options={categories} />
      )}
      {problem ? <FieldMessage text={problem} /> : null}
      <p className="text-caption text-muted-foreground">{categoryHints[form.category]}</p>
    </div>
  )
}

const formats = [
  { value: 'positional', label: 'Numbers {{1}}' },
  { value: 'named', label: 'Names {{first_name}}' },
] as const

function VariableChoice({ form, onChange }: Pick<BasicsProps, 'form' | 'onChange'>) {
  const isUsed = form.variants.some(({ content }) => content.body.includes('{{'))
  if (form.category === 'AUTHENTICATION' || isUsed) return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="text-dense text-muted-foreground">Variables are</span>
      <Segmented
        label="Variables"
        size="tool"
        value={form.parameterFormat}
        onValueChange={(parameterFormat) => onChange({ parameterFormat })}
        options={formats}
      />
    </div>
  )
}

type TimeToLiveProps = {
  category: WhatsappCategory
  seconds: number | undefined
  problem: string | undefined
  onChange: (seconds: number | undefined) => void
}

const lifetimes: readonly (readonly [number, string])[] = [
  [60, '1 minute'],
  [300, '5 minutes'],
  [600, '10 minutes'],
  [900, '15 minutes'],
  [3600, '1 hour'],
  [21_600, '6 hours'],
  [43_200, '12 hours'],
  [86_400, '1 day'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
]

/** Validity period for unreachable phones. */
export function TimeToLive({ category, seconds, problem, onChange }: TimeToLiveProps): ReactNode {
  const [least, longest] = timeToLiveRanges[category]
  const usual = category === 'AUTHENTICATION' ? 600 : 2_592_000
  const fitting = lifetimes.filter(
    ([value]) => value >= least && value <= longest && (value !== usual || value === seconds),
  )
  const own = seconds !== undefined && !fitting.some(([value]) => value === seconds)
  return (
    <div data-field="components.timeToLiveSeconds">
      <Field
        label="Expires after"
        hint="(optional)"
        error={problem}
        help="A message that cannot be delivered in this time is dropped and not charged."
        className="max-w-60"
      >
        <Select
          value={seconds === undefined ? 'none' : String(seconds)}
          onValueChange={(value) => onChange(value === 'none' ? undefined : Number(value))}
          options={[
            {
              value: 'none',
              label: category === 'AUTHENTICATION' ? '10 minutes (Meta’s default)' : '30 days (Meta’s default)',
            },
            ...fitting.map(([value, label]) => ({ value: String(value), label })),
            ...(own ? [{ value: String(seconds), label: `${seconds} seconds` }] : []),
          ]}
        />
      </Field>
    </div>
  )
}
