import { contrastOf, leastContrast } from '@carillon/contract/contrast'
import { botLimits, BotUseCase, nearestReadable } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BotDraft } from './bot-draft.ts'
import { ContactFields } from './contact-fields.tsx'

type BotFormProps = {
  draft: BotDraft
  errors: Record<string, string>
  /** Shows what only administrators decide. */
  isAdmin?: boolean
  /** The bot exists, and stays where it is hosted. */
  isHosted?: boolean
  onChange: (patch: Partial<BotDraft>) => void
}

export const useCaseLabels: Record<BotUseCase, string> = {
  multi_use: 'Several purposes',
  transactional: 'Transactional: orders, alerts',
  promotional: 'Promotional: offers',
  otp: 'One-time passwords',
}
const useCases = BotUseCase.options.map((value) => ({ value, label: useCaseLabels[value] }))

const billings = [
  { value: 'non_conversational', label: 'Per message' },
  { value: 'conversational', label: 'Per conversation' },
] as const

const hostings = [
  { value: 'asia_pacific', label: 'Asia Pacific' },
  { value: 'europe', label: 'Europe' },
  { value: 'north_america', label: 'North America' },
] as const

/** The brand of a bot and the documents that Google and the operators ask for. */
export function BotForm({ draft, errors, isAdmin = false, isHosted = false, onChange }: BotFormProps) {
  return (
    <>
      <BrandFields draft={draft} errors={errors} onChange={onChange} />
      <Group title="Contacts" help="Shown on the page of the bot: at least one, at most three of each kind.">
        <ContactFields draft={draft} errors={errors} onChange={onChange} />
      </Group>
      <UseFields draft={draft} errors={errors} isAdmin={isAdmin} isHosted={isHosted} onChange={onChange} />
      <ReviewFields draft={draft} errors={errors} onChange={onChange} />
    </>
  )
}

type TextName = Exclude<
  { [Name in keyof BotDraft]: BotDraft[Name] extends string ? Name : never }[keyof BotDraft],
  'useCase'
>

type TextProps = BotFormProps & {
  name: TextName
  label: string
  help?: ReactNode
  hint?: string
  maximum?: number
}

function Text({ draft, errors, onChange, name, label, help, hint, maximum = 300 }: TextProps) {
  return (
    <Field label={label} error={errors[name]} help={help} hint={hint}>
      <Input
        name={name}
        maxLength={maximum}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </Field>
  )
}

function LongText({ draft, errors, onChange, name, label, hint }: TextProps) {
  return (
    <Field label={label} error={errors[name]} hint={hint}>
      <Textarea
        name={name}
        rows={2}
        maxLength={1000}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </Field>
  )
}

const pair = 'grid gap-4 sm:grid-cols-2'

function BrandFields(form: BotFormProps) {
  const { draft, errors, onChange } = form
  return (
    <Group title="Brand">
      <div className={pair}>
        <Text {...form} name="name" label="Bot name" maximum={botLimits.name} help="At most 40 characters" />
        <Text {...form} name="brandName" label="Brand" maximum={botLimits.brandName} help="The company behind it" />
      </div>
      <Text
        {...form}
        name="description"
        label="Description"
        maximum={botLimits.description}
        help="At most 100 characters"
      />
      <Colour value={draft.color} error={errors['color']} onChange={(color) => onChange({ color })} />
      <div className={pair}>
        <ImageField kind="logo" id={draft.logoId} error={errors['logoId']} onImage={(logoId) => onChange({ logoId })} />
        <ImageField
          kind="banner"
          id={draft.bannerId}
          error={errors['bannerId']}
          onImage={(bannerId) => onChange({ bannerId })}
        />
      </div>
      <div className={pair}>
        <Text {...form} name="privacyUrl" label="Privacy policy" help="Web address" />
        <Text {...form} name="termsUrl" label="Terms of service" help="Web address" />
      </div>
    </Group>
  )
}

function UseFields(form: BotFormProps) {
  const { draft, errors, isAdmin, isHosted, onChange } = form
  return (
    <Group title="Use">
      <div className={pair}>
        <Field label="Use case" error={errors['useCase']}>
          <Select options={useCases} value={draft.useCase} onValueChange={(useCase) => onChange({ useCase })} />
        </Field>
        <Text
          {...form}
          name="entityId"
          label="Principal entity id"
          hint="(India, optional)"
          maximum={19}
          help="19 digits, from the DLT portal"
        />
      </div>
      {isAdmin ? (
        <div className={pair}>
          <Field
            label="Billing"
            error={errors['billing']}
            help="Per conversation: also one charge per person and 24 hours after a reply"
          >
            <Select options={billings} value={draft.billing} onValueChange={(billing) => onChange({ billing })} />
          </Field>
          {isHosted ? null : (
            <Field label="Hosting region" error={errors['hosting']} help="Fixed once the bot is created">
              <Select options={hostings} value={draft.hosting} onValueChange={(hosting) => onChange({ hosting })} />
            </Field>
          )}
        </div>
      ) : null}
    </Group>
  )
}

function ReviewFields(form: BotFormProps) {
  return (
    <Group
      title="Review"
      help="Google and the operators ask for this before verification and launch. It can be added later; if you begin, complete it."
    >
      <div className={pair}>
        <Text {...form} name="contactName" label="Contact at the brand" maximum={100} />
        <Text {...form} name="contactTitle" label="Job title" hint="(optional)" maximum={100} />
      </div>
      <Text {...form} name="contactEmail" label="Contact’s email address" help="At the domain of the website" />
      <LongText {...form} name="optIn" label="How people consent" hint="(optional)" />
      <LongText {...form} name="trigger" label="What makes the bot send a message" />
      <LongText {...form} name="interactions" label="What people can do in the conversation" />
      <LongText {...form} name="optOut" label="How people stop the messages" />
    </Group>
  )
}

function Group({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-2 text-section font-semibold">{title}</legend>
      {help ? <p className="-mt-2 text-dense text-muted-foreground">{help}</p> : null}
      {children}
    </fieldset>
  )
}

type ColourProps = { value: string; error: string | undefined; onChange: (value: string) => void }

/** The colour with its contrast to white, and the nearest shade that passes. */
function Colour({ value, error, onChange }: ColourProps) {
  const isWhole = /^#[\da-f]{6}$/i.test(value)
  const contrast = isWhole ? contrastOf(value, '#ffffff') : 0
  const passes = contrast >= leastContrast
  const shade = isWhole && !passes ? nearestReadable(value) : undefined
  const fault = isWhole && !passes ? `Contrast ${floor(contrast)}: at least ${leastContrast} is needed` : error
  return (
    <Field
      label="Colour"
      error={fault}
      help={
        passes ? (
          <span className="flex items-center gap-1 text-success-text">
            <CircleCheck aria-hidden className="size-3.5" /> Contrast {floor(contrast)}, passes
          </span>
        ) : undefined
      }
      aside={
        shade ? (
          <Button size="tool" onClick={() => onChange(shade)}>
            <span aria-hidden className="size-3 rounded-sm" style={{ background: shade }} /> Use {shade}
          </Button>
        ) : undefined
      }
    >
      <Input
        mono
        maxLength={7}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value.trim().toLowerCase())}
        leading={
          <input
            type="color"
            aria-label="Choose the colour"
            value={isWhole ? value : '#000000'}
            onChange={({ target }) => onChange(target.value)}
            className="size-5 shrink-0 cursor-pointer appearance-none rounded-sm border-0 bg-transparent p-0"
          />
        }
      />
    </Field>
  )
}

/** Rounded down, because 4.46 rounded up would appear sufficient. */
function floor(contrast: number): string {
  return (Math.floor(contrast * 10) / 10).toFixed(1)
}

type ImageFieldProps = {
  kind: 'logo' | 'banner'
  id: string
  error: string | undefined
  onImage: (id: string) => void
}

/** An image is uploaded as soon as it is chosen; the server checks its size. */
function ImageField({ kind, id, error, onImage }: ImageFieldProps) {
  const { width, height, bytes } = botLimits[kind]
  const upload = useApiWrite('bots.uploadAsset', {
    onSuccess: ({ fileId }) => onImage(fileId),
    onError: ({ message }) => toast.error(message),
  })
  const name = kind === 'logo' ? 'Logo' : 'Banner'
  return (
    <Field label={name} error={error}>
      <FileDrop
        compact
        title={upload.isPending ? 'Uploading…' : id ? `Drop another ${kind}` : `Drop the ${kind}`}
        help={`PNG or JPEG, ${width} × ${height} pixels, at most ${bytes / 1024} KB`}
        accept=".png,.jpg,.jpeg"
        maximumBytes={bytes}
        disabled={upload.isPending}
        onFile={(file) => upload.mutate({ body: { kind }, files: { file } })}
      />
    </Field>
  )
}
