import type { TemplateButton, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { RadioGroup } from '../../../ui/radio.tsx'
import { Problem, type Problems } from '../../parts/templates/problems.tsx'

type AuthenticationProps = {
  content: WhatsappTemplateContent
  problems: Problems
  onChange: (content: WhatsappTemplateContent) => void
}

/** Meta writes the text; its options. */
export function AuthenticationBody({ content, onChange }: AuthenticationProps) {
  const { securityRecommendation, codeExpirationMinutes } = content
  const expires = codeExpirationMinutes !== undefined
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted-foreground">
        Meta writes the text itself, in the language of the template: ‘<b>482913</b> is your verification code.’
      </p>
      <Checkbox
        label="For your security, do not share this code."
        help="Added to the text"
        checked={securityRecommendation}
        onChange={(event) => onChange({ ...content, securityRecommendation: event.target.checked })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          label="Show when the code expires"
          checked={expires}
          onChange={(event) => {
            const { codeExpirationMinutes: _, ...rest } = content
            onChange(event.target.checked ? { ...rest, codeExpirationMinutes: 10 } : rest)
          }}
        />
        {expires ? (
          <Input
            size="sm"
            type="number"
            min={1}
            max={90}
            aria-label="Minutes until the code expires"
            className="w-28!"
            trailing={<span className="text-caption text-muted-foreground">min</span>}
            value={codeExpirationMinutes}
            onChange={(event) => {
              const minutes = Math.min(90, Math.max(1, Math.round(Number(event.target.value) || 1)))
              onChange({ ...content, codeExpirationMinutes: minutes })
            }}
          />
        ) : null}
      </div>
    </div>
  )
}

type Otp = Extract<TemplateButton, { type: 'OTP' }>

const kinds = [
  { value: 'COPY_CODE', label: 'Copy code', help: 'The person copies it and pastes it in' },
  { value: 'ONE_TAP', label: 'One tap', help: 'One tap fills it into your Android app; on other phones it is copied' },
  { value: 'ZERO_TAP', label: 'No tap', help: 'Your Android app reads it automatically; on other phones it is copied' },
] as const

/** How the app receives the code. */
export function OtpButton({ content, problems, onChange }: AuthenticationProps) {
  const button = content.buttons.find((each): each is Otp => each.type === 'OTP')
  if (!button) return null
  const change = (patch: Partial<Otp>) => onChange({ ...content, buttons: [{ ...button, ...patch }] })
  const at = 'components.buttons.0'
  return (
    <div className="flex flex-col gap-4" data-field={at}>
      <RadioGroup
        label="How the code is delivered"
        value={button.otp_type}
        onValueChange={(otp_type) => change({ otp_type })}
        choices={kinds}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Label for copying" hint="(optional)" error={problems(`${at}.text`)}>
          <Input
            maxLength={60}
            placeholder="Copy code"
            value={button.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </Field>
        {button.otp_type === 'ONE_TAP' ? (
          <Field label="Label for one tap" hint="(optional)" error={problems(`${at}.autofill_text`)}>
            <Input
              maxLength={60}
              placeholder="Autofill"
              value={button.autofill_text}
              onChange={(event) => change({ autofill_text: event.target.value })}
            />
          </Field>
        ) : null}
      </div>
      {button.otp_type === 'COPY_CODE' ? null : <Apps button={button} at={at} problems={problems} onChange={change} />}
    </div>
  )
}

type AppsProps = { button: Otp; at: string; problems: Problems; onChange: (patch: Partial<Otp>) => void }

function Apps({ button, at, problems, onChange }: AppsProps) {
  const apps = button.supported_apps
  const change = (index: number, patch: Partial<(typeof apps)[number]>) =>
    onChange({ supported_apps: apps.map((app, place) => (place === index ? { ...app, ...patch } : app)) })
  return (
    <div className="flex flex-col gap-3" data-field={`${at}.supported_apps`}>
      {apps.map(({ package_name, signature_hash }, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_140px_auto] items-start gap-2">
          <Field label="Package" small error={problems(`${at}.supported_apps.${index}.package_name`)}>
            <Input
              size="sm"
              mono
              placeholder="in.acme.app"
              maxLength={300}
              value={package_name}
              onChange={(event) => change(index, { package_name: event.target.value.trim() })}
            />
          </Field>
          <Field label="Signature hash" small error={problems(`${at}.supported_apps.${index}.signature_hash`)}>
            <Input
              size="sm"
              mono
              placeholder="K8a/AINcGX7"
              maxLength={20}
              value={signature_hash}
              onChange={(event) => change(index, { signature_hash: event.target.value.trim() })}
            />
          </Field>
          <IconButton
            label={`Remove app ${index + 1}`}
            size="sm"
            className="mt-5.5"
            onClick={() => onChange({ supported_apps: apps.filter((_, place) => place !== index) })}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      <Problem text={problems(`${at}.supported_apps`)} />
      {apps.length < 5 ? (
        <Button
          size="sm"
          className="self-start"
          onClick={() => onChange({ supported_apps: [...apps, { package_name: '', signature_hash: '' }] })}
        >
          <Plus aria-hidden /> Add app
        </Button>
      ) : null}
    </div>
  )
}
