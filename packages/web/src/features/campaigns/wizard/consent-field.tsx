import { Checkbox } from '../../../ui/checkbox.tsx'

type ConsentFieldProps = {
  channel: 'sms' | 'whatsapp'
  isGiven: boolean
  onChange: (isGiven: boolean) => void
}

const words = {
  sms: {
    label: 'These people agreed to promotional SMS from your business',
    help: 'Operators drop promotional SMS to do-not-disturb numbers. Service templates reach them.',
  },
  whatsapp: {
    label: 'These people agreed to marketing messages from your business',
    help: 'Meta limits numbers that many people block or report.',
  },
} as const

/** The sender confirms that the people agreed; the review lists it among its checks. */
export function ConsentField({ channel, isGiven, onChange }: ConsentFieldProps) {
  const { label, help } = words[channel]
  return <Checkbox label={label} help={help} checked={isGiven} onChange={(event) => onChange(event.target.checked)} />
}
