import type { WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'

export type StepValues = { pin?: string; phone_number_id?: string; phoneNumber?: string }

type StepFormProps = {
  numbers: readonly WhatsappNumber[]
  isRunning: boolean
  onRun: (values: StepValues) => void
}

/** The number's six-digit two-step PIN. */
export function RegistrationForm({ numbers, isRunning, onRun }: StepFormProps) {
  const [pin, setPin] = useState('')
  const [number, setNumber] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    const isWhole = /^\d{6}$/.test(pin)
    setProblem(isWhole ? undefined : 'The PIN has six digits')
    if (isWhole) onRun({ pin, ...(number ? { phone_number_id: number } : {}) })
  }

  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-start gap-3" noValidate>
      <Field
        small
        label="Two-step PIN"
        className="w-52"
        error={problem}
        help="The current PIN of the number. If it has none, this becomes its PIN: keep it safe."
      >
        <Input
          size="sm"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={pin}
          onChange={(event) => setPin(event.target.value.replaceAll(/\D/g, ''))}
        />
      </Field>
      <NumberChoice numbers={numbers} all="All numbers" value={number} onChange={setNumber} />
      <Button type="submit" size="sm" className="mt-5.5" loading={isRunning}>
        Register
      </Button>
    </form>
  )
}

/** Sends a test message to the user's own number; the step passes once the delivery report arrives. */
export function TestForm({ numbers, isRunning, onRun }: StepFormProps) {
  const [phoneNumber, setPhoneNumber] = useState('+91 ')
  const [number, setNumber] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    const plain = phoneNumber.replaceAll(/[\s()-]/g, '')
    const isWhole = /^\+[1-9]\d{6,14}$/.test(plain)
    setProblem(isWhole ? undefined : 'Enter the number with its country code: +91 98765 43210')
    if (isWhole) onRun({ phoneNumber: plain, ...(number ? { phone_number_id: number } : {}) })
  }

  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-start gap-3" noValidate>
      <Field small label="Send a test to" className="w-52" error={problem} help="Use your own phone with WhatsApp.">
        <Input
          size="sm"
          type="tel"
          autoComplete="tel"
          value={phoneNumber}
          onChange={(event) => setPhoneNumber(event.target.value)}
        />
      </Field>
      <NumberChoice numbers={numbers} all="The first number" value={number} onChange={setNumber} />
      <Button type="submit" size="sm" className="mt-5.5" loading={isRunning}>
        Send test
      </Button>
    </form>
  )
}

type NumberChoiceProps = {
  numbers: readonly WhatsappNumber[]
  all: string
  value: string
  onChange: (phoneNumberId: string) => void
}

function NumberChoice({ numbers, all, value, onChange }: NumberChoiceProps) {
  if (numbers.length < 2) return null
  return (
    <Field small label="Number" className="w-48">
      <Select
        size="sm"
        value={value || 'all'}
        onValueChange={(chosen) => onChange(chosen === 'all' ? '' : chosen)}
        options={[
          { value: 'all', label: all },
          ...numbers.map(({ phone_number_id, displayPhoneNumber }) => ({
            value: phone_number_id,
            label: displayPhoneNumber,
          })),
        ]}
      />
    </Field>
  )
}
