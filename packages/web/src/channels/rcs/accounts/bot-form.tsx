import { contrastOf, leastContrast } from '@carillon/contract/contrast'
import { botLimits, nearestReadable } from '@carillon/contract/channels/rcs/rcs-bot-details'
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

type BotFormProps = {
  draft: BotDraft
  errors: Record<string, string>
  onChange: (patch: Partial<BotDraft>) => void
}

const useCases = [
  { value: 'multi_use', label: 'Several purposes' },
  { value: 'transactional', label: 'Transactional: orders, alerts' },
  { value: 'promotional', label: 'Promotional: offers' },
  { value: 'otp', label: 'One-time passwords' },
] as const

/** The brand of a bot and the documents that Google and the operators ask for. */
export function BotForm({ draft, errors, onChange }: BotFormProps) {
  const text = (
    name: keyof BotDraft,
    label: string,
    more: { help?: ReactNode; hint?: string; maximum?: number } = {},
  ) => (
    <Field label={label} error={errors[name]} help={more.help} hint={more.hint}>
      <Input
        name={name}
        maxLength={more.maximum ?? 300}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </Field>
  )
  const long = (name: 'trigger' | 'interactions' | 'optOut', label: string) => (
    <Field label={label} error={errors[name]}>
      <Textarea
        name={name}
        rows={2}
        maxLength={1000}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <>
      <Group title="Brand">
        {text('name', 'Name of the bot', { maximum: botLimits.name, help: 'At most 40 characters' })}
        {text('brandName', 'Brand', { maximum: 100 })}
        {text('description', 'Description', { maximum: botLimits.description, help: 'At most 100 characters' })}
        <Colour value={draft.color} error={errors['color']} onChange={(color) => onChange({ color })} />
        <ImageField kind="logo" id={draft.logoId} error={errors['logoId']} onImage={(logoId) => onChange({ logoId })} />
        <ImageField
          kind="banner"
          id={draft.bannerId}
          error={errors['bannerId']}
          onImage={(bannerId) => onChange({ bannerId })}
        />
      </Group>
      <Group title="Contact" help="At least one of the three is shown on the phone.">
        {text('phone', 'Phone number', { hint: '(optional)' })}
        {text('email', 'Email address', { hint: '(optional)' })}
        {text('website', 'Website', { hint: '(optional)' })}
        {text('privacyUrl', 'Privacy policy')}
        {text('termsUrl', 'Terms of service')}
      </Group>
      <Group title="Use">
        <Field label="Use case" error={errors['useCase']}>
          <Select options={useCases} value={draft.useCase} onValueChange={(useCase) => onChange({ useCase })} />
        </Field>
        {text('entityId', 'Principal entity id', {
          hint: '(India, optional)',
          maximum: 19,
          help: '19 digits, from the DLT portal',
        })}
      </Group>
      <Group title="Review" help="Google and the operators ask for this before verification and launch.">
        {text('contactName', 'Contact at the brand', { hint: '(optional)' })}
        {text('contactEmail', 'Their email address')}
        {long('trigger', 'What makes the bot send a message')}
        {long('interactions', 'What people can do in the conversation')}
        {long('optOut', 'How people stop the messages')}
      </Group>
    </>
  )
}

function Group({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{title}</legend>
      {help ? <p className="text-dense text-muted-foreground">{help}</p> : null}
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
      <div className="flex flex-wrap items-center gap-3">
        {id ? (
          <img src={`/api/v1/bot-assets/${id}`} alt={name} className="h-14 rounded-md border border-border" />
        ) : null}
        <div className="min-w-60 flex-1">
          <FileDrop
            compact
            title={upload.isPending ? 'Uploading…' : id ? `Drop another ${kind}` : `Drop the ${kind}`}
            help={`PNG or JPEG, ${width} × ${height} pixels, at most ${bytes / 1024} KB`}
            accept=".png,.jpg,.jpeg"
            maximumBytes={bytes}
            disabled={upload.isPending}
            onFile={(file) => upload.mutate({ body: { kind }, files: { file } })}
          />
        </div>
      </div>
    </Field>
  )
}
