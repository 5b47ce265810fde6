import type { RcsMessage } from '../rcs/phone/rcs-message.ts'
import type { SmsMessage } from '../sms/phone/sms-message.ts'
import type { WhatsappMessage } from '../whatsapp/phone/whatsapp-message.ts'

/** What a phone can show: the messages of the channels that have a screen on it. */
export type PhoneMessage = SmsMessage | RcsMessage | WhatsappMessage
